use kerncast_models::{ErrorReport, HoldOut, HoldOutKey};

/// What a reader should know about a hold-out.
pub(super) fn of_hold_out(hold_out: &HoldOut, report: &ErrorReport) -> Vec<String> {
    let key = match hold_out.key {
        HoldOutKey::Row => "row",
        HoldOutKey::Kernel => "kernel",
        HoldOutKey::Family => "family",
        HoldOutKey::Device => "device",
    };
    let all = hold_out.forecasts.len();
    let Some(errors) = report.overall else {
        let why = hold_out.forecasts.iter().find_map(|it| it.as_ref().err());
        let why = why.map(|error| format!(": {error}")).unwrap_or_default();
        return vec![format!(
            "leaving one {key} out, no fit is left to judge by{why}"
        )];
    };
    let (negative, unpredicted) = (errors.negative, errors.unpredicted);
    [
        (negative > 0).then(|| {
            format!("leaving one {key} out, {negative} of {all} forecasts are at or below 0")
        }),
        (unpredicted > 0).then(|| {
            format!("leaving one {key} out, {unpredicted} of {all} samples could not be forecast")
        }),
    ]
    .into_iter()
    .flatten()
    .collect()
}
