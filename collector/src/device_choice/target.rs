//! `--on`: the device to forecast, by the names that people use: one of the server's, or a GPU by its data sheet.

use anyhow::Result;
use kerncast_profilers::gpus;
use kerncast_wire::{
    Device, DeviceOverview, DeviceSummary, Facts, Overview, Prediction, short_name,
};

use crate::{
    UsageError,
    client::{Client, ServerError},
    device::{find_by_name, suggest_device},
    units::joined,
};

/// A device to forecast: one of the server's, or by its data sheet a GPU that the server does not know.
#[derive(Clone)]
pub struct Target {
    /// The server's number for it; none for a GPU that the server does not know.
    pub id: Option<i64>,
    /// The name that people use.
    pub short_name: String,
    /// Its name, vendor and limits.
    pub device: Device,
}

/// Ids of devices and names of GPUs, in the form of a request.
pub type RequestTargets = (Option<Vec<i64>>, Option<Vec<String>>);

impl Target {
    fn of_gpu(facts: &Facts) -> Self {
        Self {
            id: None,
            short_name: short_name(&facts.name),
            device: facts.device(),
        }
    }

    /// The target in the form of a request.
    pub fn in_request(&self) -> RequestTargets {
        match self.id {
            Some(id) => (Some(vec![id]), None),
            None => (None, Some(vec![self.device.name.clone()])),
        }
    }
}

impl From<&DeviceSummary> for Target {
    fn from(summary: &DeviceSummary) -> Self {
        Self {
            id: Some(summary.id),
            short_name: summary.short_name.clone(),
            device: summary.device.clone(),
        }
    }
}

/// All devices of the server that have models of times, and all other GPUs of the table from NVIDIA's Volta on.
pub fn all_targets(overview: &Overview) -> Vec<Target> {
    let has_models = |it: &&DeviceOverview| it.providers.iter().any(|it| it.champion.is_some());
    let devices = overview.devices.iter().filter(has_models);
    let devices: Vec<Target> = devices.map(|it| Target::from(&it.device)).collect();
    let is_known = |gpu: &Facts| devices.iter().any(|it| it.device.name == gpu.name);
    let is_new = |it: &&Facts| {
        let since_volta = it.architecture.parse::<f64>().is_ok_and(|it| it >= VOLTA);
        since_volta && !is_known(it)
    };
    let gpus = gpus::all().iter().filter(is_new).map(Target::of_gpu);
    let gpus: Vec<Target> = gpus.collect();
    [devices, gpus].concat()
}

/// The compute capability of NVIDIA's Volta.
const VOLTA: f64 = 7.0;

/// The device of the server that `wish` names, or else the GPU of the table.
pub fn find_target(overview: &Overview, wish: &str) -> Result<Target, UsageError> {
    let devices = overview.devices.iter().map(|it| it.device.clone());
    resolve(&devices.collect::<Vec<_>>(), wish)
}

/// A device by its number or whole name, or else a GPU by its whole name, or else either by a part of it.
fn resolve(devices: &[DeviceSummary], wish: &str) -> Result<Target, UsageError> {
    let gpus = gpus::matching(wish);
    let is_whole = wish.parse::<i64>().is_ok() || !by_whole_name(devices, wish).is_empty();
    if let ([gpu], false) = (&gpus[..], is_whole) {
        let device = devices.iter().find(|it| it.device.name == gpu.name);
        return Ok(device.map_or_else(|| Target::of_gpu(gpu), Target::from));
    }
    match find_device(devices, wish) {
        Ok(device) => Ok(Target::from(device)),
        Err(error) if gpus.is_empty() => Err(error),
        Err(_) => {
            let names = joined(gpus.iter().map(|it| &it.name), ", ");
            Err(UsageError(format!(
                "several GPUs are called `{wish}`: {names}"
            )))
        }
    }
}

/// The server's devices and the table's GPUs that `wishes` name, in the form of a request.
///
/// # Errors
/// A wish names none or several, or the server gives no answer.
pub fn find_targets(server: &Client, wishes: &[String]) -> Result<RequestTargets> {
    let has_names = wishes.iter().any(|wish| wish.parse::<i64>().is_err());
    let known = has_names.then(|| server.devices()).transpose()?;
    let (mut devices, mut gpus) = (Vec::new(), Vec::new());
    for wish in wishes {
        // The server checks ids itself.
        if let Ok(id) = wish.parse() {
            devices.push(id);
            continue;
        }
        let target = resolve(known.as_deref().unwrap_or_default(), wish)?;
        match target.id {
            Some(id) => devices.push(id),
            None => gpus.push(target.device.name),
        }
    }
    Ok((
        Some(devices).filter(|it| !it.is_empty()),
        Some(gpus).filter(|it| !it.is_empty()),
    ))
}

/// The server's answer. An error about a device lists the names of devices that the server could forecast.
pub fn name_devices_in_error<T>(server: &Client, answer: Result<T, ServerError>) -> Result<T> {
    let error = match answer {
        Ok(answer) => return Ok(answer),
        Err(error) => error,
    };
    let problems = match &error {
        ServerError::Status { problems, .. } => &problems[..],
        _ => &[],
    };
    let Some(problem) = problems.iter().find(|it| it.field.starts_with("/device")) else {
        return Err(error.into());
    };
    let on = match problem.value.as_deref() {
        None | Some("absent") => "--on is missing".to_owned(),
        Some(wish) => format!("--on {wish}"),
    };
    let expected = with_names(&server.devices()?, &problem.expected);
    Err(UsageError(format!("{on}: expected {expected}")).into())
}

/// A sentence in which ids of devices at the end are replaced by names; other sentences stay.
fn with_names(devices: &[DeviceSummary], sentence: &str) -> String {
    let sentence = sentence.split(" (/v1/").next().unwrap_or_default();
    let (before, ids) = sentence.rsplit_once(": ").unwrap_or((sentence, ""));
    let ids = ids.split(", ");
    let names = ids.map(|id| Some(device_name(devices, id.parse().ok()?)));
    match names.collect::<Option<Vec<String>>>() {
        Some(names) => format!("{before}: {}", names.join(", ")),
        None => sentence.to_owned(),
    }
}

/// The id of the server's device that `wish` names. The server is asked only if `wish` is no number.
pub fn find_id(server: &Client, wish: &str) -> Result<i64> {
    match wish.parse() {
        Ok(id) => Ok(id),
        Err(_) => Ok(find_device(&server.devices()?, wish)?.id),
    }
}

/// The part of the overview about the device that `wish` names.
pub fn find_overview<'o>(
    overview: &'o Overview,
    wish: &str,
) -> Result<&'o DeviceOverview, UsageError> {
    let devices = overview.devices.iter().map(|it| it.device.clone());
    let id = find_device(&devices.collect::<Vec<_>>(), wish)?.id;
    let device = overview.devices.iter().find(|it| it.device.id == id);
    Ok(device.expect("its id is of this list"))
}

/// The one device of `all` that `wish` names. Where there are none or several, the error lists them.
fn find_device<'a>(all: &'a [DeviceSummary], wish: &str) -> Result<&'a DeviceSummary, UsageError> {
    let devices = match wish.parse::<i64>() {
        Ok(id) => all.iter().filter(|device| device.id == id).collect(),
        Err(_) => match by_whole_name(all, wish) {
            exact if !exact.is_empty() => exact,
            _ => find_by_name(all, |device| &device.device.name, wish),
        },
    };
    match devices[..] {
        [] => Err(no_such_device(all, wish)),
        [device] => Ok(device),
        _ => Err(UsageError(format!(
            "several devices of the server are called `{wish}`: {}; name one by its id",
            list(devices)
        ))),
    }
}

fn no_such_device(all: &[DeviceSummary], wish: &str) -> UsageError {
    if all.is_empty() {
        return UsageError(format!(
            "the server knows no device `{wish}`, and no other: it has no samples yet"
        ));
    }
    let names = all.iter();
    let names = names.flat_map(|it| [&*it.device.name, &*it.short_name]);
    UsageError(format!(
        "the server knows no device `{wish}`; it knows {}{}",
        list(all),
        suggest_device(wish, names)
    ))
}

/// The name of the device or GPU that a prediction is about.
pub fn forecast_name(all: &[DeviceSummary], prediction: &Prediction) -> String {
    match &prediction.unmeasured {
        Some(unmeasured) => short_name(&unmeasured.gpu),
        None => device_name(all, prediction.device),
    }
}

/// The short name of the device of this id.
pub fn device_name(all: &[DeviceSummary], id: i64) -> String {
    let device = all.iter().find(|it| it.id == id);
    device.map_or_else(|| format!("device {id}"), |it| it.short_name.clone())
}

/// Devices whose short or full name is `wish`, in any case: `Xeon` is one device, also beside `Xeon (PoCL, 2 units)`.
fn by_whole_name<'a>(all: &'a [DeviceSummary], wish: &str) -> Vec<&'a DeviceSummary> {
    let wish = wish.trim().to_lowercase();
    let has_name = |it: &&DeviceSummary| {
        [&it.short_name, &it.device.name].map(|name| name.to_lowercase() == wish) != [false; 2]
    };
    all.iter().filter(has_name).collect()
}

fn list<'a>(devices: impl IntoIterator<Item = &'a DeviceSummary>) -> String {
    let devices = devices.into_iter();
    let all = devices.map(|it| format!("{}: {} ({})", it.id, it.short_name, it.device.name));
    joined(all, ", ")
}

#[cfg(test)]
mod tests {
    use kerncast_wire::{Device, DeviceKind};

    use super::*;

    fn id(all: &[DeviceSummary], wish: &str) -> Option<i64> {
        find_device(all, wish).ok().map(|it| it.id)
    }

    fn device(id: i64, short_name: &str, vendor: &str, name: &str) -> DeviceSummary {
        DeviceSummary {
            id,
            short_name: short_name.to_owned(),
            device: Device {
                vendor: vendor.to_owned(),
                name: name.to_owned(),
                kind: DeviceKind::Gpu,
                compute_units: None,
                global_memory_bytes: None,
                local_memory_bytes: None,
                max_work_group_size: None,
                max_buffer_bytes: None,
                cache_bytes: None,
            },
            samples: 0,
            kernels: 0,
            last_measured_at: None,
            shipped: false,
            ceilings: None,
        }
    }

    #[test]
    fn a_whole_short_name_goes_before_those_that_say_more() {
        let xeon = "Intel(R) Xeon(R) Processor";
        let pocl = "The pocl project";
        let all = [
            device(3, "Xeon", pocl, &format!("cpu-skylake-avx512-{xeon}")),
            device(
                5,
                "Xeon (PoCL, 2 units)",
                pocl,
                &format!("pthread-skylake-avx512-{xeon}"),
            ),
        ];
        for wish in ["xeon", "Xeon", " XEON "] {
            assert_eq!(id(&all, wish), Some(3), "{wish}");
        }
        assert_eq!(id(&all, "xeon (pocl, 2 units)"), Some(5));
        let problem = find_device(&all, "xeon(r)").expect_err("two").to_string();
        assert!(problem.contains("3: Xeon (cpu-"), "{problem}");
        assert!(problem.contains("5: Xeon (PoCL, 2 units) ("), "{problem}");
        assert_eq!(id(&all, "3"), Some(3));
        assert_eq!(id(&all[..1], "xeon"), Some(3));
    }

    #[test]
    fn ids_in_the_servers_words_are_names() {
        let all = [
            device(1, "EPYC", "The pocl project", "AMD EPYC"),
            device(4, "H200", "NVIDIA Corporation", "NVIDIA H200"),
        ];
        for (sentence, expected) in [
            (
                "one of the devices that have models: 1, 4 (/v1/jobs shows which fits are pending)",
                "one of the devices that have models: EPYC, H200",
            ),
            (
                "a device that models forecast from device 1: 4",
                "a device that models forecast from device 1: H200",
            ),
            ("a device that has models", "a device that has models"),
        ] {
            assert_eq!(with_names(&all, sentence), expected);
        }
    }

    #[test]
    fn a_device_goes_by_name_short_name_part_and_id() {
        let all = [
            device(1, "EPYC (Intel)", "Intel(R) Corporation", "AMD EPYC"),
            device(
                2,
                "EPYC (PoCL)",
                "The pocl project",
                "pthread-skylake-avx512-AMD EPYC",
            ),
            device(4, "H200", "NVIDIA Corporation", "NVIDIA H200"),
        ];
        for wish in ["4", "h200", "NVIDIA H200", "nvidia"] {
            assert_eq!(id(&all, wish), Some(4), "{wish}");
        }
        assert_eq!(id(&all, "pthread-skylake"), Some(2));
        assert_eq!(id(&all, "epyc (intel)"), Some(1));
        let problem = |wish| find_device(&all, wish).expect_err("no device").to_string();
        let several = problem("epyc");
        assert!(
            several.contains("1: EPYC (Intel) (AMD EPYC), 2: EPYC (PoCL) ("),
            "{several}"
        );
        assert!(several.ends_with("name one by its id"), "{several}");
        assert!(
            problem("h20O").ends_with("Did you mean `H200`?"),
            "{}",
            problem("h20O")
        );
        assert!(problem("9").contains("knows no device `9`; it knows 1: "));
    }
}
