//! Every method side by side on a tidy CSV without quotes, leaving one kernel out:
//! `cargo run --release -p kerncast-models --example methods -- FILE.csv TIME KERNEL [METHOD,...] [PREFIX,...] [NOT,...]`
//!
//! TIME and KERNEL name columns. Counters are the other columns that hold numbers in every row, start with one of the prefixes and
//! contain none of the last list.

#![allow(clippy::print_stdout)]

use std::{env, error::Error, fs, time::Instant};

use kerncast_models::{Coverage, Dataset, HoldOutKey, METHODS, coverage, errors, hold_out};
use kerncast_profilers::catalogue::roles;
use ndarray::{Array1, Array2};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [file, time, kernel, rest @ ..] = &arguments[..] else {
        return Err(
            "usage: methods FILE.csv TIME KERNEL [METHOD,...] [PREFIX,...] [NOT,...]".into(),
        );
    };
    let list = |at: usize| -> Vec<&str> {
        let text = rest.get(at).map_or("", String::as_str);
        text.split(',').filter(|it| !it.is_empty()).collect()
    };
    let (methods, prefixes, not) = (list(0), list(1), list(2));
    let dataset = read(file, time, kernel, &prefixes, &not)?;
    println!(
        "{} rows, {} counters",
        dataset.y().len(),
        dataset.counters().len()
    );
    println!(
        "{:16} {:>9} {:>9} {:>7} {:>9} {:>6} {:>8} {:>8} {:>8}",
        "method",
        "mean %",
        "median %",
        "factor",
        "within 25",
        "none",
        "covers %",
        "width",
        "seconds"
    );
    for method in METHODS {
        if !methods.is_empty() && !methods.contains(&method.name()) {
            continue;
        }
        let start = Instant::now();
        let held_out = hold_out(&dataset, HoldOutKey::Kernel, *method);
        let seconds = start.elapsed().as_secs_f64();
        let report = errors(&dataset, &held_out);
        let interval = coverage(&dataset, &held_out, 0.9);
        let of_interval = |part: fn(&Coverage) -> f64| interval.as_ref().map_or(f64::NAN, part);
        match report.overall {
            None => println!("{:16} no forecast", method.name()),
            Some(all) => println!(
                "{:16} {:9.2} {:9.2} {:7.3} {:9.1} {:6} {:8.1} {:8.2} {:8.1}",
                method.name(),
                100.0 * all.mean_ape,
                100.0 * all.median_ape,
                all.factor.unwrap_or(f64::NAN),
                100.0 * all.within_25,
                all.unpredicted,
                of_interval(|it| 100.0 * it.covered_rows),
                of_interval(|it| it.typical_factor),
                seconds
            ),
        }
        if env::var_os("KERNELS").is_some() {
            let mut kernels = report.kernels;
            let worst = |it: &kerncast_models::KernelErrors| {
                it.errors.map_or(0.0, |errors| errors.mean_ape)
            };
            kernels.sort_by(|a, b| worst(b).total_cmp(&worst(a)));
            for it in kernels.iter().take(15) {
                println!("    {:40} {:.1}", it.kernel, 100.0 * worst(it));
            }
        }
    }
    Ok(())
}

fn read(
    file: &str,
    time: &str,
    kernel: &str,
    prefixes: &[&str],
    not: &[&str],
) -> Result<Dataset, Box<dyn Error>> {
    let text = fs::read_to_string(file)?;
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().ok_or("an empty file")?.split(',').collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let column = |name: &str| {
        let found = header.iter().position(|&it| it == name);
        found.ok_or_else(|| format!("{file} has no column {name}"))
    };
    let (time, kernel) = (column(time)?, column(kernel)?);
    let asked = |at: &usize| {
        let name = header[*at];
        *at != time
            && (prefixes.is_empty() || prefixes.iter().any(|prefix| name.starts_with(prefix)))
            && !not.iter().any(|part| name.contains(part))
            && rows.iter().all(|row| row[*at].parse::<f64>().is_ok())
    };
    let columns: Vec<usize> = (0..header.len()).filter(asked).collect();
    let number = |row: usize, at: usize| rows[row][at].parse::<f64>();
    let mut x = Array2::zeros((rows.len(), columns.len()));
    let mut y = Array1::zeros(rows.len());
    for row in 0..rows.len() {
        y[row] = number(row, time)?;
        for (at, &column) in columns.iter().enumerate() {
            x[(row, at)] = number(row, column)?;
        }
    }
    let names: Vec<String> = columns.iter().map(|&at| header[at].to_owned()).collect();
    let roles = roles(&names);
    let kernels = rows.iter().map(|row| row[kernel].to_owned()).collect();
    Ok(Dataset::new(names, kernels, x, y)?.with_roles(roles)?)
}
