use crate::data::*;
use kerncast_models::*;
use kerncast_training::*;
use std::collections::BTreeMap;
use std::time::Instant;

fn q(provider: &str) -> Question {
    Question {
        target: DEVICE,
        counted_on: None,
        provider: provider.into(),
        variant: None,
        response: Response::Time,
    }
}

fn quant(v: &mut Vec<f64>, ps: &[f64]) -> String {
    v.sort_by(f64::total_cmp);
    ps.iter()
        .map(|p| format!("{:.3}", v[((v.len() - 1) as f64 * p) as usize]))
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn timing() {
    let (a, ceilings) = read("nvidia-h200.jsonl.zst", "ncu");
    let (b, _) = read("further/nvidia-h200.jsonl.zst", "ncu");
    println!("{} {}", a.len(), b.len());
    let mut numbers = Numbers::default();
    let sa: Vec<_> = a
        .iter()
        .zip(0..)
        .map(|(m, i)| numbers.sample(m, i))
        .collect();
    let sb: Vec<_> = b
        .iter()
        .zip(1000..)
        .map(|(m, i)| numbers.sample(m, i))
        .collect();
    let s = samples(&numbers, sa.clone(), ceilings);
    let question = q("ncu");
    for way in ways(&question, &s) {
        let t = Training::new(&question, &s, &way.counters, way.input);
        let d = t.dataset.unwrap();
        let start = Instant::now();
        let fit = way.method.fit(&d.rows()).unwrap();
        let took = start.elapsed();
        // forecasts of further
        let mut ln: Vec<f64> = Vec::new();
        let mut worst: Vec<(f64, String)> = Vec::new();
        for (m, smp) in b.iter().zip(&sb) {
            let x: Vec<f64> = way
                .counters
                .iter()
                .map(|c| smp.values[&numbers.counters[c]])
                .collect();
            let f = fit.predict(ndarray::ArrayView1::from(&x));
            let r = if f > 0.0 { (m.median_s / f).ln() } else { 99.0 };
            ln.push(r);
            worst.push((
                r,
                format!(
                    "{} {} {} {:.2e} {:.2e}",
                    m.kernel, m.variant, m.sizes, m.median_s, f
                ),
            ));
        }
        worst.sort_by(|a, b| a.0.total_cmp(&b.0));
        println!(
            "{} {:?} | {}",
            way.method.name(),
            took,
            quant(
                &mut ln,
                &[
                    0.0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.98, 0.99,
                    0.995, 1.0
                ]
            )
        );
        if ["known_costs", "nnls", "forest"].contains(&way.method.name()) {
            for w in worst.iter().take(8).chain(worst.iter().rev().take(12)) {
                println!("   {:.3} {}", w.0, w.1);
            }
            let mut per: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
            for w in &worst {
                per.entry(w.1.split(' ').next().unwrap())
                    .or_default()
                    .push(w.0);
            }
            let mut k: Vec<_> = per
                .iter()
                .map(|(k, v)| (v[v.len() / 2], *k, v.len()))
                .collect();
            k.sort_by(|a, b| a.0.total_cmp(&b.0));
            println!(
                "   kernels {:?}",
                k.iter()
                    .map(|x| format!("{} {:.2} {}", x.1, x.0, x.2))
                    .collect::<Vec<_>>()
                    .join(", ")
            );
        }
    }
}
