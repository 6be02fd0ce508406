//! An `async fn` whose future holds a buffer that it no longer needs, and moves it with each task that is spawned.

use std::mem::size_of_val;

use futures::executor::block_on;
use step08_join_handle::yield_now;

// ANCHOR: program
async fn handle(fill: fn(&mut [u8]) -> usize) -> u32 {
    let mut buffer = [0; 65_536];
    let length = fill(&mut buffer);
    let sum = buffer[..length].iter().map(|byte| u32::from(*byte)).sum();
    answer(sum).await;
    sum
}

async fn answer(_sum: u32) {
    yield_now().await;
}
// ANCHOR_END: program

// ANCHOR: change
async fn changed(fill: fn(&mut [u8]) -> usize) -> u32 {
    let sum = read_and_add(fill);
    answer(sum).await;
    sum
}

fn read_and_add(fill: fn(&mut [u8]) -> usize) -> u32 {
    let mut buffer = [0; 65_536];
    let length = fill(&mut buffer);
    buffer[..length].iter().map(|byte| u32::from(*byte)).sum()
}
// ANCHOR_END: change

async fn in_a_block(fill: fn(&mut [u8]) -> usize) -> u32 {
    let sum = {
        let mut buffer = [0; 65_536];
        let length = fill(&mut buffer);
        buffer[..length].iter().map(|byte| u32::from(*byte)).sum()
    };
    answer(sum).await;
    sum
}

#[expect(dropping_copy_types, reason = "an answer that students give")]
async fn dropped(fill: fn(&mut [u8]) -> usize) -> u32 {
    let mut buffer = [0; 65_536];
    let length = fill(&mut buffer);
    let sum = buffer[..length].iter().map(|byte| u32::from(*byte)).sum();
    drop(buffer);
    answer(sum).await;
    sum
}

#[test]
fn what_is_borrowed_before_an_await_and_in_scope_after_it_is_in_the_future() {
    let fill = |buffer: &mut [u8]| {
        buffer[..3].copy_from_slice(&[1, 2, 3]);
        3
    };
    assert!(size_of_val(&handle(fill)) > 65_536);
    assert!(size_of_val(&dropped(fill)) > 65_536);
    assert!(size_of_val(&changed(fill)) < 64);
    assert!(size_of_val(&in_a_block(fill)) < 64);
    assert_eq!((block_on(handle(fill)), block_on(changed(fill))), (6, 6));
}
