//! What `cargo run -p step09-epoll-reactor` prints.

// Miri starts no programs.
#![cfg(not(miri))]

const PROGRAM: &str = env!("CARGO_BIN_EXE_step09-epoll-reactor");

/// Versions 1 and 2 are Linux's, and so are their lines.
#[cfg(target_os = "linux")]
#[test]
fn the_demo_prints_this_and_ends() {
    let varies = [
        "], waits: [..],",
        "the task that reads: [..]\n",
        "\n     waits: [..],",
        "that arm the input: [..]\n",
        // As many as the system allows.
        "connections open at once: [..]\n",
        "to open them: polls: [..],",
        "to open them: polls: [..], waits that returned: [..],",
        "to open them: polls: [..], waits that returned: [..], events: [..]\n",
        "\n   for [..] echoes",
        "echoes: polls: [..],",
        "echoes: polls: [..], waits that returned: [..],",
        "echoes: polls: [..], waits that returned: [..], events: [..]\n",
    ];
    let runs = kit::transcript::check(env!("CARGO_PKG_NAME"), PROGRAM, &varies);
    for figures in runs {
        let [level, one_shot, edge, reads, parks, arms, figures @ ..]: [f64; 14] = figures;
        let [
            open,
            o_polls,
            o_waits,
            o_events,
            echoes,
            polls,
            waits,
            events,
        ] = figures;
        assert!(
            level >= edge && one_shot >= edge,
            "an edge is reported once"
        );
        assert!(reads >= arms && parks >= arms, "each report is asked for");
        assert!(o_polls >= open && o_waits >= 1.0 && o_events >= o_waits);
        assert!(
            open >= 1.0 && echoes == open,
            "each connection gets its echo"
        );
        assert!(polls >= 2.0 * echoes, "a connection has two tasks");
        assert!(
            waits >= 1.0 && events >= waits,
            "no wait returns for nothing"
        );
    }
}

#[cfg(not(target_os = "linux"))]
#[test]
fn the_demo_ends() {
    let output = std::process::Command::new(PROGRAM).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("connections open at once"), "{said}");
}
