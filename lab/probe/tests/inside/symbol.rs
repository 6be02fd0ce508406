//! Names of functions, as the two manglings of the compiler have them.

use super::*;

fn parts(name: &str) -> (String, String) {
    let Symbol { path, method } = Symbol::from(name);
    (path.to_string(), method.to_string())
}

#[test]
fn a_name_is_the_path_of_its_function_or_of_the_type_of_a_traits_function() {
    for (name, path, method) in [
        ("main", "main", ""),
        (
            "tokio::task::yield_now::yield_now::{{closure}}",
            "tokio::task::yield_now::yield_now::{{closure}}",
            "",
        ),
        (
            "tokio::sync::mutex::Mutex<T>::lock",
            "tokio::sync::mutex::Mutex::lock",
            "",
        ),
        (
            "<tokio::sync::mutex::Mutex<alloc::vec::Vec<u8>>>::lock::{closure#0}",
            "tokio::sync::mutex::Mutex::lock::{closure#0}",
            "",
        ),
        (
            "<tokio::sync::Acquire as core::future::future::Future>::poll",
            "tokio::sync::Acquire",
            "poll",
        ),
        (
            "<app::Watched<fn(&str) -> Vec<u8>> as core::future::Future>::poll::{{closure}}",
            "app::Watched",
            "poll::{{closure}}",
        ),
        ("<<app::A as app::B>::C as app::D<u8>>::f", "app::A::C", "f"),
        (
            "<&mut app::Reader as std::io::Read>::read",
            "app::Reader",
            "read",
        ),
        ("<(A,B) as app::Race>::race", "(A,B)", "race"),
        (
            "core::ops::function::impls::<impl core::ops::FnMut<A> for &F>::call_mut",
            "core::ops::function::impls::call_mut",
            "",
        ),
        (
            "std::panicking::catch_unwind::<app::{closure#0}, ()>",
            "std::panicking::catch_unwind",
            "",
        ),
    ] {
        assert_eq!(parts(name), (path.to_owned(), method.to_owned()), "{name}");
    }
}

#[test]
fn a_part_is_no_other_part_that_it_is_in() {
    let path = ItemPath::from("tokio::io::util::read_exact::ReadExact");
    for part in [
        "io::util",
        "tokio",
        "io::util::read*",
        "read_exact::ReadExact",
        "util::read_exact",
    ] {
        assert!(path.has(part), "{part}");
    }
    for part in [
        "o::util",
        "io::read_exact",
        "read",
        "tokio::io::util::read_exact::ReadExact::poll",
    ] {
        assert!(!path.has(part), "{part}");
    }
    assert!(path.is_in("tokio::io") && path.is_in("tokio"));
    assert!(!path.is_in("io") && !path.is_in("toki") && !path.is_in("tokio::i"));
}
