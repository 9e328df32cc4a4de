//! Devices as the server knows them, by the names that people give them.

use anyhow::Result;
use kerncast_collector::{
    UsageError,
    client::{Client, ServerError},
    device::{likely, meant},
};
use kerncast_profilers::gpus;
use kerncast_wire::{
    Device, DeviceOverview, DeviceSummary, Facts, Overview, Prediction, short_name,
};

/// What is forecast: a device of the server, or a GPU that it does not know, by its data sheet.
#[derive(Clone)]
pub(super) struct Target {
    /// The server's number for it; none of such a GPU.
    pub(super) id: Option<i64>,
    /// What people call it.
    pub(super) short_name: String,
    /// What it is.
    pub(super) device: Device,
}

/// Ids of devices, and names of GPUs, as requests have them.
type Named = (Option<Vec<i64>>, Option<Vec<String>>);

impl Target {
    fn of_gpu(facts: &Facts) -> Self {
        Self {
            id: None,
            short_name: short_name(&facts.name),
            device: facts.device(),
        }
    }

    /// As a request names it: devices, or GPUs.
    pub(super) fn named(&self) -> Named {
        match self.id {
            Some(id) => (Some(vec![id]), None),
            None => (None, Some(vec![self.device.name.clone()])),
        }
    }
}

impl From<&DeviceSummary> for Target {
    fn from(known: &DeviceSummary) -> Self {
        Self {
            id: Some(known.id),
            short_name: known.short_name.clone(),
            device: known.device.clone(),
        }
    }
}

/// All devices of the server that have models of times, and all GPUs of the table since NVIDIA's Volta that are none of
/// them.
pub(super) fn all(overview: &Overview) -> Vec<Target> {
    let has_models = |it: &&DeviceOverview| it.providers.iter().any(|it| it.champion.is_some());
    let devices = overview.devices.iter().filter(has_models);
    let devices: Vec<Target> = devices.map(|it| Target::from(&it.device)).collect();
    let is_known = |of: &Facts| devices.iter().any(|it| it.device.name == of.name);
    let is_new = |it: &&Facts| {
        let since_volta = it.architecture.parse::<f64>().is_ok_and(|it| it >= VOLTA);
        since_volta && !is_known(it)
    };
    let gpus: Vec<Target> = gpus::all()
        .iter()
        .filter(is_new)
        .map(Target::of_gpu)
        .collect();
    devices.into_iter().chain(gpus).collect()
}

/// Compute capability.
const VOLTA: f64 = 7.0;

/// The device of the server that is called so, or else the GPU of the table.
///
/// # Errors
/// Neither is, or several are.
pub(super) fn target(overview: &Overview, wish: &str) -> Result<Target, UsageError> {
    let all: Vec<DeviceSummary> = overview
        .devices
        .iter()
        .map(|it| it.device.clone())
        .collect();
    match meaning(&all, wish)? {
        Meaning::Device(id) => {
            let known = all.iter().find(|it| it.id == id);
            Ok(Target::from(known.expect("its id is of this list")))
        }
        Meaning::Gpu(facts) => Ok(Target::of_gpu(facts)),
    }
}

/// What somebody calls so.
enum Meaning {
    Device(i64),
    Gpu(&'static Facts),
}

/// A device by its number or whole name, or else a GPU by its whole name, or else either by a part of it.
fn meaning(all: &[DeviceSummary], wish: &str) -> Result<Meaning, UsageError> {
    let gpus = gpus::matching(wish);
    let is_whole = wish.parse::<i64>().is_ok() || !by_whole_name(all, wish).is_empty();
    if let ([gpu], false) = (&gpus[..], is_whole) {
        let known = all.iter().find(|it| it.device.name == gpu.name);
        return Ok(known.map_or(Meaning::Gpu(gpu), |it| Meaning::Device(it.id)));
    }
    match one(all, wish) {
        Ok(id) => Ok(Meaning::Device(id)),
        Err(none) if gpus.is_empty() => Err(none),
        Err(_) => {
            let names: Vec<&str> = gpus.iter().map(|it| &*it.name).collect();
            let names = names.join(", ");
            Err(UsageError(format!(
                "several GPUs are called `{wish}`: {names}"
            )))
        }
    }
}

/// Devices and GPUs of the table that are called so, as a request names them.
pub(super) fn targets(server: &Client, wishes: &[String]) -> Result<Named> {
    let known = match wishes.iter().all(|wish| wish.parse::<i64>().is_ok()) {
        true => Vec::new(),
        false => server.devices()?,
    };
    let (mut devices, mut gpus) = (Vec::new(), Vec::new());
    for wish in wishes {
        let meaning = match wish.parse() {
            Ok(id) => Meaning::Device(id),
            Err(_) => meaning(&known, wish)?,
        };
        match meaning {
            Meaning::Device(id) => devices.push(id),
            Meaning::Gpu(facts) => gpus.push(facts.name.clone()),
        }
    }
    Ok((
        Some(devices).filter(|it| !it.is_empty()),
        Some(gpus).filter(|it| !it.is_empty()),
    ))
}

/// What the server answers; where it can't for a device, which ones it could, by their names.
pub(super) fn answered<T>(server: &Client, answer: Result<T, ServerError>) -> Result<T> {
    let error = match answer {
        Ok(answer) => return Ok(answer),
        Err(error) => error,
    };
    let of_device = match &error {
        ServerError::Status { problems, .. } => {
            problems.iter().find(|it| it.field.starts_with("/device"))
        }
        _ => None,
    };
    let Some(problem) = of_device else {
        return Err(error.into());
    };
    let on = match problem.value.as_deref() {
        None | Some("absent") => "--on is missing".to_owned(),
        Some(wish) => format!("--on {wish}"),
    };
    let expected = named(&server.devices()?, &problem.expected);
    Err(UsageError(format!("{on}: expected {expected}")).into())
}

/// The sentence with devices by their names in place of its last words, where these are their ids.
fn named(devices: &[DeviceSummary], sentence: &str) -> String {
    let sentence = sentence.split(" (/v1/").next().unwrap_or_default();
    let (before, ids) = sentence.rsplit_once(": ").unwrap_or((sentence, ""));
    let names = ids
        .split(", ")
        .map(|id| Some(name(devices, id.parse().ok()?)));
    match names.collect::<Option<Vec<String>>>() {
        Some(names) => format!("{before}: {}", names.join(", ")),
        None => sentence.to_owned(),
    }
}

/// The id of the device that is called so. Only names are asked for.
pub(super) fn id(server: &Client, wish: &str) -> Result<i64> {
    match wish.parse() {
        Ok(id) => Ok(id),
        Err(_) => Ok(one(&server.devices()?, wish)?),
    }
}

/// The id of the one device of `all` that is called so.
///
/// # Errors
/// None is, or several are: which there are.
pub(super) fn one(all: &[DeviceSummary], wish: &str) -> Result<i64, UsageError> {
    match called(all, wish)?[..] {
        [device] => Ok(device.id),
        ref several => Err(UsageError(format!(
            "several devices of the server are called `{wish}`: {}; name one by its id",
            listed(several.iter().copied())
        ))),
    }
}

/// The same of the server's overview, with all that it says of the device.
pub(super) fn known<'o>(
    overview: &'o Overview,
    wish: &str,
) -> Result<&'o DeviceOverview, UsageError> {
    let known = overview.devices.iter().map(|it| it.device.clone());
    let id = one(&known.collect::<Vec<_>>(), wish)?;
    let target = overview.devices.iter().find(|it| it.device.id == id);
    Ok(target.expect("its id is of this list"))
}

fn called<'a>(all: &'a [DeviceSummary], wish: &str) -> Result<Vec<&'a DeviceSummary>, UsageError> {
    let found = match wish.parse::<i64>() {
        Ok(id) => all.iter().filter(|device| device.id == id).collect(),
        Err(_) => match by_whole_name(all, wish) {
            exact if !exact.is_empty() => exact,
            _ => meant(all, |device| &device.device.name, wish),
        },
    };
    if found.is_empty() {
        return Err(none(all, wish));
    }
    Ok(found)
}

fn none(all: &[DeviceSummary], wish: &str) -> UsageError {
    if all.is_empty() {
        return UsageError(format!(
            "the server knows no device `{wish}`, and no other: it has no samples yet"
        ));
    }
    let names = all
        .iter()
        .flat_map(|it| [&*it.device.name, &*it.short_name]);
    UsageError(format!(
        "the server knows no device `{wish}`; it knows {}{}",
        listed(all),
        likely(wish, names)
    ))
}

/// What people call what a prediction is of.
pub(super) fn forecast_of(all: &[DeviceSummary], prediction: &Prediction) -> String {
    match &prediction.unmeasured {
        Some(of) => short_name(&of.gpu),
        None => name(all, prediction.device),
    }
}

/// What people call the device of this id.
pub(super) fn name(all: &[DeviceSummary], id: i64) -> String {
    let device = all.iter().find(|it| it.id == id);
    device.map_or_else(|| format!("device {id}"), |it| it.short_name.clone())
}

/// Those that are called exactly so, in any case: `Xeon` is one device, also beside `Xeon (PoCL, 2 units)`.
fn by_whole_name<'a>(all: &'a [DeviceSummary], wish: &str) -> Vec<&'a DeviceSummary> {
    let wish = wish.trim().to_lowercase();
    let is_called = |it: &&DeviceSummary| {
        [&it.short_name, &it.device.name].map(|name| name.to_lowercase() == wish) != [false; 2]
    };
    all.iter().filter(is_called).collect()
}

fn listed<'a>(devices: impl IntoIterator<Item = &'a DeviceSummary>) -> String {
    let named = devices.into_iter().map(|device| {
        format!(
            "{}: {} ({})",
            device.id, device.short_name, device.device.name
        )
    });
    named.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use kerncast_wire::{Device, DeviceKind};

    use super::*;

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
            assert_eq!(one(&all, wish).ok(), Some(3), "{wish}");
        }
        assert_eq!(one(&all, "xeon (pocl, 2 units)").ok(), Some(5));
        let told = one(&all, "xeon(r)").expect_err("two").to_string();
        assert!(told.contains("3: Xeon (cpu-"), "{told}");
        assert!(told.contains("5: Xeon (PoCL, 2 units) ("), "{told}");
        assert_eq!(one(&all, "3").ok(), Some(3));
        assert_eq!(one(&all[..1], "xeon").ok(), Some(3));
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
            assert_eq!(named(&all, sentence), expected);
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
            assert_eq!(one(&all, wish).ok(), Some(4), "{wish}");
        }
        assert_eq!(one(&all, "pthread-skylake").ok(), Some(2));
        assert_eq!(one(&all, "epyc (intel)").ok(), Some(1));
        let problem = |wish| one(&all, wish).expect_err("no device").to_string();
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
