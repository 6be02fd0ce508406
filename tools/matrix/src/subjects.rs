//! What is tested: the stages of this course, each by the adapter in its own tests, and what other people wrote.

use contract::Subject;

mod futures;
mod pollster;
mod smol;
#[path = "../../../step03-timer-future/tests/contract/adapter.rs"]
mod step03;
#[path = "../../../step04-channel-executor/tests/contract/adapter.rs"]
mod step04;
#[path = "../../../step05-parker-block-on/tests/contract/adapter.rs"]
mod step05;
#[path = "../../../step06-reactor/tests/contract/adapter.rs"]
mod step06;
#[path = "../../../step07-mini-tokio/tests/contract/adapter.rs"]
mod step07;
#[path = "../../../step08-join-handle/tests/contract/adapter.rs"]
mod step08;
#[path = "../../../step09-epoll-reactor/tests/contract/adapter.rs"]
mod step09;
mod tokio;

/// All of them, in the order of the columns.
pub(crate) fn all() -> Vec<Subject> {
    let subjects: [&[Subject]; 11] = [
        &step03::SUBJECTS,
        &step04::SUBJECTS,
        &step05::SUBJECTS,
        &step06::SUBJECTS,
        &step07::SUBJECTS,
        &step08::SUBJECTS,
        step09::SUBJECTS,
        futures::SUBJECTS,
        pollster::SUBJECTS,
        smol::SUBJECTS,
        tokio::SUBJECTS,
    ];
    subjects.concat()
}
