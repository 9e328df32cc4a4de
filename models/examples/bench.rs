//! The Rust side of `make bench`: does one task and prints numbers, which bench/regression.py sets beside
//! its peers'. Matrices are files of little-endian doubles, row by row.

#![expect(clippy::print_stdout, reason = "what it is for")]

use std::{env, fs, hint::black_box, process::ExitCode, time::Instant};

use kerncast_models::{
    Cost, Costs, Dataset, Fitted, Form, HoldOutKey, METHODS, Merge, Method, Moments,
    OrdinaryLeastSquares, Rows, hold_out,
};
use ndarray::{Array1, Array2, ArrayView1, s};

const USAGE: &str = "usage: bench leave-out METHOD X Y KERNELS OUT | stream ROWS COUNTERS KERNELS | predict FORM X Y";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["leave-out", method, x, y, kernels, out] => {
            let method = METHODS.iter().find(|it| it.name() == method);
            let data = dataset(x, y, number(kernels));
            leave_out(*method.expect("a method's name"), &data, out);
        }
        ["stream", rows, counters, kernels] => {
            stream(number(rows), number(counters), number(kernels));
        }
        ["predict", form, x, y] => predict(form, &dataset(x, y, 1)),
        _ => {
            println!("{USAGE}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// Prints the seconds to forecast every row without its kernel, five times over; the forecasts go to the
/// file `out`.
fn leave_out(method: &dyn Method, data: &Dataset, out: &str) {
    for _ in 0..5 {
        let start = Instant::now();
        let held_out = black_box(hold_out(data, HoldOutKey::Kernel, method));
        println!("{}", start.elapsed().as_secs_f64());
        let bytes = |it: &Result<f64, _>| it.as_ref().expect("a forecast").to_le_bytes();
        let forecasts: Vec<u8> = held_out.forecasts.iter().flat_map(bytes).collect();
        fs::write(out, forecasts).expect("a file to write to");
    }
}

/// Sums up rows that are never all there, a batch of one kernel after another, and fits without each
/// kernel. Prints the seconds and the most memory that was held, in KiB.
fn stream(rows: usize, counters: usize, kernels: usize) {
    const BATCH: usize = 10_000;
    let start = Instant::now();
    let names: Vec<String> = (0..counters).map(|at| format!("c{at}")).collect();
    let mut parts = vec![Moments::new(counters); kernels];
    let mut random = Random(1);
    for batch in 0..rows.div_ceil(BATCH) {
        let x = Array2::from_shape_simple_fn((BATCH, counters), || random.next());
        let y: Array1<f64> = x
            .rows()
            .into_iter()
            .map(|row| 1.0 + row.sum() + random.next())
            .collect();
        let moments = OrdinaryLeastSquares.moments(&Rows {
            counters: &names,
            roles: &[],
            x: x.view(),
            y: y.view(),
            kernels: &vec![0; BATCH],
            devices: &vec![0; BATCH],
            generated: 0,
            weights: None,
        });
        parts[batch % kernels].merge(&moments.expect("finite numbers"));
    }
    let fits = OrdinaryLeastSquares.fits_without(&parts);
    assert!(black_box(fits).iter().all(Result::is_ok), "fits");
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .expect("peak memory");
    let peak = peak.trim().trim_end_matches(" kB");
    println!("{} {peak}", start.elapsed().as_secs_f64());
}

/// Prints the seconds for one forecast, median of many, and those for the forecasts of all rows.
fn predict(form: &str, data: &Dataset) {
    let some = &data.x().slice(s![..10_000, ..]).to_owned();
    let fit = fitted(form, data.counters(), some, data.y());
    let mut single: Vec<f64> = (0..1001)
        .map(|at| {
            let row = data.x().row(at * 97 % data.x().nrows()).to_owned();
            let start = Instant::now();
            for _ in 0..100 {
                black_box(fit.predict(black_box(row.view())));
            }
            start.elapsed().as_secs_f64() / 100.0
        })
        .collect();
    single.sort_by(f64::total_cmp);
    let start = Instant::now();
    black_box(fit.predict_rows(black_box(data.x())));
    println!("{} {}", single[500], start.elapsed().as_secs_f64());
}

/// A fit of the form that the method named makes. Of costs the largest that there is: every counter costs
/// by itself, of per_worker's also per work-item (the first column) and per work-group (the second).
fn fitted(form: &str, counters: &[String], x: &Array2<f64>, y: ArrayView1<'_, f64>) -> Fitted {
    let shared_out: &[&[usize]] = match form {
        "per_worker" => &[&[], &[0], &[1]],
        "pnorm" => &[&[]],
        _ => &[],
    };
    let method = if shared_out.is_empty() { form } else { "ols" };
    let method = METHODS.iter().find(|it| it.name() == method);
    let rows = Rows {
        counters,
        roles: &[],
        x: x.view(),
        y: y.slice(s![..x.nrows()]),
        kernels: &(0..x.nrows()).map(|row| row % 50).collect::<Vec<_>>(),
        devices: &vec![0; x.nrows()],
        generated: 0,
        weights: None,
    };
    let fit = method.expect("a method's name").fit(&rows);
    let fit = fit.expect("a fit");
    if shared_out.is_empty() {
        return fit;
    }
    let costs = shared_out.iter().flat_map(|over| {
        (0..counters.len()).map(move |column| Cost {
            column,
            over: over.to_vec(),
            seconds: 1e-9,
        })
    });
    let form = Form::Costs(Costs {
        constant: 1e-6,
        terms: costs.collect(),
        p: if form == "pnorm" { 2.0 } else { 1.0 },
    });
    Fitted { form, ..fit }
}

/// Rows of kernel 0 first, then of kernel 1, …, equally many each.
fn dataset(x: &str, y: &str, kernels: usize) -> Dataset {
    let y = Array1::from(read(y));
    let (rows, x) = (y.len(), read(x));
    let counters = x.len() / rows;
    let x = Array2::from_shape_vec((rows, counters), x).expect("whole rows");
    let names = (0..counters).map(|at| format!("c{at}")).collect();
    let kernels = (0..rows)
        .map(|row| format!("k{}", row * kernels / rows))
        .collect();
    Dataset::new(names, kernels, x, y).expect("finite counters and times above 0")
}

fn read(path: &str) -> Vec<f64> {
    let bytes = fs::read(path).expect("a file of doubles");
    let (doubles, _) = bytes.as_chunks();
    doubles
        .iter()
        .map(|double| f64::from_le_bytes(*double))
        .collect()
}

fn number(text: &str) -> usize {
    text.parse().expect("a whole number")
}

/// Marsaglia's xorshift ("Xorshift RNGs", 2003): uniform from 0 to 1, good enough to fill a matrix.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}
