//! What the tests of tidy tables read back.

use std::collections::BTreeSet;

use csv::{QuoteStyle, WriterBuilder};
use kerncast_profilers::{Launch, as_text};

/// Prints launches as a tidy table, the form that `parse` gives back: names, parameters, time and
/// counters; geometry and dispatch numbers are not in it. Names must have no white space around
/// them, and neither parameters nor counters an empty name. Only where some kernel is generated is there a column
/// that says so.
pub(crate) fn print_tidy(launches: &[Launch]) -> String {
    let parameters = launches
        .iter()
        .flat_map(|launch| launch.parameters.keys())
        .collect::<BTreeSet<_>>();
    let counters = launches.iter().flat_map(|launch| &launch.counters);
    let counters =
        counters.flat_map(|(provider, names)| names.keys().map(move |name| (provider, name)));
    let counters = counters.collect::<BTreeSet<_>>();

    let mut header = ["device", "kernel", "variant", "time_s", "family", "vendor"]
        .map(str::to_owned)
        .to_vec();
    let any_generated = launches.iter().any(|launch| launch.generated);
    header.extend(any_generated.then(|| "generated".to_owned()));
    header.extend(parameters.iter().map(|name| format!("param:{name}")));
    header.extend(
        counters
            .iter()
            .map(|(provider, name)| format!("{provider}:{name}")),
    );

    // Names are quoted always: one that begins with == is no profiler's remark then.
    let mut table = WriterBuilder::new()
        .quote_style(QuoteStyle::NonNumeric)
        .from_writer(Vec::new());
    let rows = launches.iter().map(|launch| {
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        let number =
            |value: Option<f64>| value.map(|number| number.to_string()).unwrap_or_default();
        let mut row = vec![
            text(&launch.device),
            launch.kernel.clone(),
            text(&launch.variant),
            number(launch.time_s),
            text(&launch.family),
            text(&launch.vendor),
        ];
        row.extend(any_generated.then(|| launch.generated.to_string()));
        let sizes = parameters.iter().map(|name| {
            launch
                .parameters
                .get(*name)
                .map(i64::to_string)
                .unwrap_or_default()
        });
        row.extend(sizes);
        row.extend(counters.iter().map(|(provider, name)| {
            number(
                launch
                    .counters
                    .get(*provider)
                    .and_then(|counters| counters.get(*name))
                    .copied(),
            )
        }));
        row
    });
    for row in std::iter::once(header).chain(rows) {
        table
            .write_record(row.iter().map(|cell| as_text(cell).into_owned()))
            .expect("rows of one length, written to memory");
    }
    let bytes = table.into_inner().expect("a writer to memory");
    String::from_utf8(bytes).expect("text in, text out")
}
