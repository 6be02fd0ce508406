//! What an operation costs on the runtimes of stages 08 to 10, on tokio and on smol. This program starts itself once for each
//! measurement, in a process of its own, takes the runtimes in turns over several rounds, and prints a table of the medians.

mod table;

use std::{fs, process::ExitCode};

use bench::{
    measure::{Measure, Size, measure_here},
    rounds, runtimes, workloads,
};
use clap::{Parser, builder::PossibleValuesParser};

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What an operation costs on stages 08, 09 and 10, and on tokio and smol
#[derive(Debug, Parser)]
struct Options {
    /// Only this workload; may be given several times
    #[arg(long, default_values = workloads(), hide_default_value = true, value_parser = PossibleValuesParser::new(workloads()))]
    only: Vec<String>,
    /// Only this runtime; may be given several times
    #[arg(long, default_values = runtimes::ALL.map(|it| it.0), hide_default_value = true, value_parser = PossibleValuesParser::new(runtimes::ALL.map(|it| it.0)))]
    runtime: Vec<String>,
    /// A tenth of the work, and three rounds in place of nine
    #[arg(long)]
    quick: bool,
    /// The least work that shows whether a measurement works
    #[arg(long, hide = true)]
    tiny: bool,
    /// Make this one measurement, of a workload on a runtime, in this process
    #[arg(long, hide = true, num_args = 2)]
    measure: Vec<String>,
}

fn workloads() -> Vec<&'static str> {
    let rows = workloads::on_net::<runtimes::Step10>();
    rows.into_iter().map(|it| it.0).collect()
}

/// How a workload is measured on a runtime, if the runtime can do it.
fn measurement(workload: &str, runtime: &str) -> Option<Measure> {
    let rows = runtimes::ALL.iter().find(|it| it.0 == runtime)?.1;
    Some(rows().into_iter().find(|it| it.0 == workload)?.1)
}

fn main() -> ExitCode {
    let options = Options::parse();
    let (size, rounds) = match (options.tiny, options.quick) {
        (true, _) => (Size::Tiny, 1),
        (_, true) => (Size::Quick, 3),
        _ => (Size::Full, 9),
    };
    if let [workload, runtime] = &options.measure[..] {
        let measure = measurement(workload, runtime).expect("the runtime can do it");
        measure_here(measure, size);
        return ExitCode::SUCCESS;
    }
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let (rows, columns) = (&*options.only, &*options.runtime);
    let (seen, failures) = rounds::run((rows, columns), measurement, (size, rounds));
    println!("{}", table::markdown(rows, columns, &seen));
    println!("Medians of {rounds} rounds, ± half the distance between the quartiles.");
    println!(
        "The load before was {}.",
        load.split(' ').next().unwrap_or("?")
    );
    ExitCode::from(u8::from(failures > 0))
}
