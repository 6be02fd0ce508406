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
#[path = "../../../step10-work-stealing/tests/contract/adapter.rs"]
mod step10;
mod tokio;

/// Versions that keep the same clauses as `step10`. Stage 10's own test tries them, and here they would only be more columns.
const NOT_HERE: [&str; 3] = ["step10-shared", "step10-stealing", "step10-slot"];

/// All of them, in the order of the columns.
pub(crate) fn all() -> Vec<Subject> {
    let subjects: [&[Subject]; 12] = [
        &step03::SUBJECTS,
        &step04::SUBJECTS,
        &step05::SUBJECTS,
        &step06::SUBJECTS,
        &step07::SUBJECTS,
        &step08::SUBJECTS,
        step09::SUBJECTS,
        step10::SUBJECTS,
        futures::SUBJECTS,
        pollster::SUBJECTS,
        smol::SUBJECTS,
        tokio::SUBJECTS,
    ];
    let mut subjects = subjects.concat();
    subjects.retain(|subject| !NOT_HERE.contains(&subject.name));
    subjects
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_here_is_in_the_stages_own_test() {
        for name in NOT_HERE {
            let there = step10::SUBJECTS.iter().any(|subject| subject.name == name);
            assert!(there, "{name}");
            assert!(all().iter().all(|subject| subject.name != name), "{name}");
        }
    }
}
