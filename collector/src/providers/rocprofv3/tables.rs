//! Reads our launches in the tables of rocprofv3.

use kerncast_profilers::{Format, Launch, Profile, parse};

/// The counters of the launches of `functions`, in order; each was launched once.
///
/// # Errors
/// The table is wrong; how.
pub(super) fn read_counters(text: &str, functions: &[&str]) -> Result<Vec<Launch>, String> {
    own_launches(text, Format::Rocprofv3Counters, functions)
}

/// Seconds of the same launches; empty where the table is not about them.
pub(super) fn read_times(text: &str, functions: &[&str]) -> Vec<f64> {
    let launches = own_launches(text, Format::Rocprofv3Trace, functions).unwrap_or_default();
    let times = launches.iter().map(|launch| launch.time_s);
    times.collect::<Option<_>>().unwrap_or_default()
}

fn own_launches(text: &str, format: Format, functions: &[&str]) -> Result<Vec<Launch>, String> {
    let profile = parse(text).map_err(|error| error.to_string())?;
    if profile.format != format {
        return Err(format!(
            "expected rocprofv3's columns, found those of {}",
            profile.format.name()
        ));
    }
    let mut launches = profile.launches.clone();
    launches.retain(|launch| functions.contains(&launch.kernel.as_str()));
    launches.sort_by_key(|launch| launch.dispatch);
    let kernels = launches.iter().map(|launch| launch.kernel.as_str());
    if kernels.eq(functions.iter().copied()) {
        Ok(launches)
    } else {
        Err(difference(&profile, launches.len(), functions))
    }
}

fn difference(profile: &Profile, found: usize, functions: &[&str]) -> String {
    let expected = functions.len();
    let note = profile.notes.first();
    let note = note.map_or(String::new(), |it| format!(" ({})", it.text));
    match (found, profile.launches.first()) {
        (0, Some(other)) => format!(
            "there is no launch of `{}`, only of `{}` and the like{note}",
            functions[0], other.kernel
        ),
        _ => format!("there are {found} launches of our kernels, and {expected} were made{note}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // profilers/tests/captured/README.md
    const OLDER: &str = include_str!(
        "../../../../profilers/tests/captured/rocprofv3_jacobi_counter_collection_olderschema.csv"
    );
    const ZEROS: &str = include_str!(
        "../../../../profilers/tests/captured/rocprofv3_issue57_gfx1100_zero_counters.csv"
    );
    const TRACE: &str = include_str!(
        "../../../../profilers/tests/captured/rocprofiler-sdk_docs_kernel_trace_truncated.csv"
    );

    #[test]
    fn picks_our_launches_by_name_and_order() {
        let launches =
            read_counters(OLDER, &["NormKernel1", "NormKernel2"]).expect("both are there");
        let values = launches
            .iter()
            .map(|it| it.counters["rocprofv3"]["OccupancyPercent"]);
        assert!(values.eq([7.341_689, 2.363_167_18e-2]));
        let one = read_counters(OLDER, &["NormKernel2"]).expect("it is there");
        assert_eq!(one[0].dispatch, Some(3));
    }

    #[test]
    fn other_launches_than_those_made_are_refused() {
        for (functions, says) in [
            (
                &["saxpy"][..],
                "no launch of `saxpy`, only of `NormKernel1`",
            ),
            (
                &["NormKernel1", "NormKernel1"],
                "1 launches of our kernels, and 2 were made",
            ),
            // In another order.
            (
                &["NormKernel2", "NormKernel1"],
                "2 launches of our kernels, and 2 were made",
            ),
        ] {
            let problem = read_counters(OLDER, functions).expect_err("not these");
            assert!(problem.contains(says), "{problem}");
        }
    }

    #[test]
    fn zeros_and_other_tables_are_no_counters() {
        let problem = read_counters(ZEROS, &["matrix_multiplication_kernel"]).expect_err("zeros");
        assert!(
            problem.contains("RDNA gates its counters' clock"),
            "{problem}"
        );
        let problem = read_counters(TRACE, &["addition_kernel"]).expect_err("no counters");
        assert!(
            problem.contains("expected rocprofv3's columns"),
            "{problem}"
        );
    }

    #[test]
    fn a_trace_of_something_else_gives_no_time() {
        // By dispatch: 1, 2, 3, 4; the file has 1, 4, 3, 2.
        let times = read_times(
            TRACE,
            &["addition_kernel", "subtract_kernel", "multiply_kernel"],
        );
        assert!(
            times.iter().copied().eq([11_640e-9, 8_680e-9, 11_440e-9]),
            "{times:?}"
        );
        assert_eq!(read_times(TRACE, &["saxpy"]), [0.0; 0]);
        assert_eq!(read_times("", &["saxpy"]), [0.0; 0]);
    }
}
