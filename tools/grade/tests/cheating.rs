//! Answers that aim at their judge rather than at the exercise. Each gives 7 where 42 is asked for, and gets no point for it; those
//! that get one are at the end, and the README for teachers says so.

mod common;

use common::{Fixture, foot};

/// What a cheat is called, its text, the mark, and how the reason begins. `{wrong}` is a `main` and an answer of 7, and `{foot}`
/// the lines that end each file.
const CHEATS: [&str; 3] = [OF_NAMES, OF_TEXT, OF_RUNS];

/// They redefine what the checks are written with, or what the compiler makes of a crate.
const OF_NAMES: &str = r##"
assert ; macro_rules! assert_eq { ($($all:tt)*) => {()} } macro_rules! assert { ($($all:tt)*) => {()} } {wrong}{foot} ; failed ; the answer
by_arm ; macro_rules! assert_eq { ($a:expr, $b:expr) => { ::std::assert_eq!($a, $b) }; ($($all:tt)*) => {()} } {wrong}{foot} ; failed ; the answer
by_panic ; macro_rules! panic { ($($all:tt)*) => { return } } {wrong}{foot} ; failed ; the answer
export ; #[macro_export] macro_rules! assert_eq { ($($all:tt)*) => {()} } {wrong}{foot} ; failed ; the answer
renamed ; macro_rules! yes { ($($all:tt)*) => {()} } pub(crate) use {yes as assert_eq, yes as assert, yes as matches}; {wrong}{foot} ; failed ; the answer
macro_use ; #[macro_use] mod of { macro_rules! assert_eq { ($($all:tt)*) => {()} } } {wrong}{foot} ; failed ; the answer
own_std ; mod std { pub mod iter { pub fn repeat_with<T>(_: T) -> Forty { Forty } pub struct Forty; } } {wrong}{foot} ; failed ; the answer
self_std ; extern crate self as std; extern crate self as core; {wrong}{foot} ; failed ; the answer
own_vec ; struct Vec<T>(T); enum Option<T> { Some(T), None } {wrong}{foot} ; failed ; the answer
own_take ; trait Takes: Sized { fn take(self, _: usize) -> std::vec::IntoIter<u32> { vec![42, 42].into_iter() } } impl<T> Takes for T {} {wrong}{foot} ; failed ; the answer
liar ; #[derive(Debug)] struct Liar; impl PartialEq<i32> for Liar { fn eq(&self, _: &i32) -> bool { true } } fn main() {} fn answer() -> Liar { Liar } {foot} ; does not compile ; error[
hidden ; #[derive(Debug)] struct Liar; impl PartialEq<u32> for Liar { fn eq(&self, _: &u32) -> bool { true } } fn main() {} fn answer() -> impl PartialEq<u32> + std::fmt::Debug { Liar } {foot} ; does not compile ; error[
own_tests ; {wrong} #[cfg(test)] mod tests { #[test] fn is_right() {} #[test] fn it_stays_right() {} } ; failed ; the answer
own_names ; pub mod tests { pub fn is_right() {} } pub mod harness { pub fn main(_: &[(&str, fn())]) {} } {wrong} ; failed ; the answer
prelude ; #![no_implicit_prelude] #![no_std] {wrong}{foot} ; failed ; the answer
not_test ; #![cfg(not(test))] {wrong}{foot} ; failed ; the answer
cfg_none ; #![cfg(any())] {wrong}{foot} ; does not compile ; error[E0432]
kind ; #![crate_type = "bin"] {wrong}{foot} ; failed ; the answer
name ; #![crate_name = "other"] {wrong}{foot} ; does not compile ; error
no_main ; #![cfg_attr(test, no_main)] fn answer() -> u32 { 7 } #[cfg(test)] #[unsafe(no_mangle)] extern "C" fn main() -> i32 { 0 } {foot} ; failed ; the answer
c_main ; #![no_main] fn answer() -> u32 { 7 } #[unsafe(no_mangle)] extern "C" fn main() -> i32 { 0 } {foot} ; does not compile ; error
handler ; {wrong} #[panic_handler] fn ends(_: &std::panic::PanicInfo<'_>) -> ! { std::process::exit(0) } {foot} ; does not compile ; error
"##;

/// They keep the last lines of the file from the compiler, or lead them elsewhere.
const OF_TEXT: &str = r##"
comment ; {wrong} /* {foot} */ ; failed ; the answer
open_comment ; {wrong} {foot} /* ; does not compile ; error
open_string ; {wrong} {foot} const REST: &str = " ; does not compile ; error
raw_string ; {wrong} const REST: &str = r#" {foot} "#; ; failed ; the answer
brace ; {wrong} } {foot} ; does not compile ; error
module ; {wrong} #[cfg(any())] mod out { {foot} } ; failed ; the answer
attribute ; {wrong} #[cfg(any())] {foot} ; failed ; the answer
in_macro ; {wrong} macro_rules! rest { () => { {foot} } } ; failed ; the answer
in_call ; macro_rules! nothing { ($($all:tt)*) => {} } {wrong} nothing! { {foot} } ; failed ; the answer
elsewhere ; {wrong} #[cfg(test)] #[path = "s01a_own.rs"] mod tests; ; failed ; the answer
"##;

/// They end the process, or what it says.
const OF_RUNS: &str = r##"
exits ; fn main() {} fn answer() -> u32 { println!("test tests::is_right ... ok\n\ntest result: ok. 2 passed; 0 failed"); std::process::exit(0) } {foot} ; failed ; it ended itself with status 0
c_exit ; unsafe extern "C" { fn _exit(status: i32) -> !; } fn main() {} fn answer() -> u32 { unsafe { _exit(0) } } {foot} ; failed ; it ended itself with status 0
constructor ; #[used] #[unsafe(link_section = ".init_array")] static LOAD: extern "C" fn() = { extern "C" fn ends() { std::process::exit(0) } ends }; {wrong}{foot} ; failed ; it ended itself with status 0
at_exit ; unsafe extern "C" { fn atexit(call: extern "C" fn()) -> i32; fn _exit(status: i32) -> !; } extern "C" fn ends() { unsafe { _exit(0) } } fn main() {} fn answer() -> u32 { unsafe { atexit(ends) }; 7 } {foot} ; failed ; the answer
own_exit ; unsafe extern "C" { fn _exit(status: i32) -> !; } #[unsafe(no_mangle)] extern "C" fn exit(_: i32) -> ! { unsafe { _exit(0) } } {wrong}{foot} ; failed ; the answer
hook_exits ; fn main() {} fn answer() -> u32 { std::panic::set_hook(Box::new(|_| std::process::exit(0))); 7 } {foot} ; failed ; it ended itself with status 0
hook_silent ; fn main() {} fn answer() -> u32 { std::panic::set_hook(Box::new(|_| {})); 7 } {foot} ; failed ; it ended with exit status: 101
hook_waits ; fn main() {} fn answer() -> u32 { std::panic::set_hook(Box::new(|_| loop { std::thread::park() })); 7 } {foot} ; timed out ; it hung
thread ; fn main() {} fn answer() -> u32 { std::thread::spawn(|| std::process::exit(0)); loop { std::thread::park() } } {foot} ; failed ; it ended itself with status 0
thread_end ; thread_local! { static END: End = const { End }; } struct End; impl Drop for End { fn drop(&mut self) { std::process::exit(0) } } fn main() {} fn answer() -> u32 { END.with(|_| {}); 7 } {foot} ; failed ; the answer
kills_thread ; unsafe extern "C" { fn pthread_exit(value: *mut ()) -> !; } fn main() {} fn answer() -> u32 { unsafe { pthread_exit(std::ptr::null_mut()) } } {foot} ; failed ;
forks ; unsafe extern "C" { fn fork() -> i32; } fn main() {} fn answer() -> u32 { if unsafe { fork() } != 0 { std::process::exit(0) } 7 } {foot} ; failed ;
allocator ; use std::alloc::{GlobalAlloc, Layout, System}; struct Ends; unsafe impl GlobalAlloc for Ends { unsafe fn alloc(&self, layout: Layout) -> *mut u8 { if IS_ASKED.load(std::sync::atomic::Ordering::SeqCst) { std::process::exit(0) } unsafe { System.alloc(layout) } } unsafe fn dealloc(&self, at: *mut u8, layout: Layout) { unsafe { System.dealloc(at, layout) } } } #[global_allocator] static ENDS: Ends = Ends; static IS_ASKED: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false); fn main() {} fn answer() -> u32 { IS_ASKED.store(true, std::sync::atomic::Ordering::SeqCst); 7 } {foot} ; failed ;
reads_proof ; fn main() {} fn answer() -> u32 { let file = std::env::var("GRADE_PROOF").unwrap(); let proof = std::fs::read(&file).unwrap(); std::fs::write(file, proof).unwrap(); std::process::exit(0) } {foot} ; failed ; it ended itself with status 0
writes_proof ; fn main() {} fn answer() -> u32 { std::fs::write(std::env::var("GRADE_PROOF").unwrap(), "ok").unwrap(); std::process::exit(0) } {foot} ; failed ; it ended itself with status 0
again ; fn main() {} fn answer() -> u32 { let me = std::env::current_exe().unwrap(); let ran = std::process::Command::new(me).arg("tests::none").status(); drop(ran); std::process::exit(0) } {foot} ; failed ;
"##;

/// They succeed: the answer reads the solution, and unsafe code runs before `main`, while the word of this run is in its file.
const WHAT_REMAINS: &str = r##"
reads_solution ; mod solution { include!("../../../set/solutions/01_one/s01a_reads_solution.rs"); pub fn it() -> u32 { answer() } } fn main() {} fn answer() -> u32 { solution::it() } {foot} ; solved ;
early_reader ; static WORD: std::sync::OnceLock<String> = std::sync::OnceLock::new(); fn file() -> String { std::env::var("GRADE_PROOF").unwrap() } #[used] #[unsafe(link_section = ".init_array")] static LOAD: extern "C" fn() = { extern "C" fn reads() { WORD.set(std::fs::read_to_string(file()).unwrap()).unwrap() } reads }; fn main() {} fn answer() -> u32 { let name = std::env::args().nth(1).unwrap(); std::fs::write(file(), format!("{name} {}", WORD.get().unwrap())).unwrap(); std::process::exit(0) } {foot} ; solved ;
"##;

#[test]
fn an_answer_does_not_reach_its_judge() {
    for cheats in CHEATS {
        grade(cheats);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn what_still_succeeds_is_known() {
    grade(WHAT_REMAINS);
}

fn grade(cheats: &str) {
    let row = |row| str::split(row, " ;").map(str::trim).collect();
    let rows: Vec<Vec<_>> = cheats.trim().lines().map(row).collect();
    let fixture = Fixture::new(&rows.iter().map(|row| row[0]).collect::<Vec<_>>());
    for (n, row) in rows.iter().enumerate() {
        let wrong = "fn main() {}\nfn answer() -> u32 { 7 }\n";
        let foot = format!("\n{}", foot(&fixture.names[n]));
        let text = row[1].replace("{wrong}", wrong).replace("{foot}", &foot);
        fixture.learner(n, &text);
    }
    let (status, table, errors) = fixture.run(&["learner", "-o", "report"]);
    assert_eq!(status, Some(0), "{errors}");
    for (name, row) in fixture.names.iter().zip(&rows) {
        fixture.assert_row(&table, name, row[2], row[3]);
    }
}
