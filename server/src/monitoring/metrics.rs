//! Counts for Prometheus: of requests since the server's start, and of the state of everything
//! (docs/monitoring.md).

use std::{
    fmt::{self, Write},
    sync::Arc,
    time::Duration,
};

use kerncast_wire::{AgentState, BatchVerdict, DeviceOverview, FittingJobs, Overview};
use prometheus_client::{
    collector::Collector,
    encoding::{
        DescriptorEncoder, EncodeGaugeValue, EncodeLabelValue, LabelValueEncoder,
        text::{encode_eof, encode_registry},
    },
    metrics::{MetricType, counter::Counter, family::Family, histogram::Histogram},
    registry::{Registry, Unit},
};

use crate::fitting::Counts;

/// Upper ends of the classes of requests' times, seconds.
const LATENCY_CLASSES: [f64; 15] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0,
];

/// Labels' names and values.
type Labels<V, const N: usize> = [(&'static str, V); N];

/// What is counted since the server's start.
pub(crate) struct Metrics {
    registry: Registry,
    /// Requests by method, route and status, which is `none` where the client had gone before the answer.
    requests: Family<Labels<String, 3>, Counter>,
    latencies: Family<Labels<String, 1>, Histogram>,
    samples: Family<Labels<&'static str, 1>, Counter>,
    pub(crate) predictions: Counter,
    pub(crate) fits: Counts,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("kerncast");
        let (samples, predictions) = (Family::default(), Counter::default());
        registry.register("samples", "Samples uploaded, by verdict", samples.clone());
        registry.register("predictions", "Forecasts served", predictions.clone());
        let requests = Family::default();
        let help = "Requests answered, by method, route and status";
        registry.register("requests", help, requests.clone());
        let empty: fn() -> Histogram = || Histogram::new(LATENCY_CLASSES);
        let latencies = Family::new_with_constructor(empty);
        let help = "From a request's headers to the beginning of its answer";
        registry.register_with_unit("request_duration", help, Unit::Seconds, latencies.clone());
        let fits = Counts::default();
        fits.register(&mut registry);
        Self {
            registry,
            requests,
            latencies,
            samples,
            predictions,
            fits,
        }
    }
}

impl Metrics {
    /// Counts errors of the server's from 0 on: of a count that begins with 1 nobody sees that it has risen.
    pub(crate) fn expect(&self, method: &str, route: &str) {
        let _ = self.requests.get_or_create(&request(method, route, "500"));
    }

    pub(crate) fn count_request(
        &self,
        method: &str,
        route: &str,
        status: Option<u16>,
        took: Duration,
    ) {
        let status = status.map_or("none".to_owned(), |it| it.to_string());
        let labels = request(method, route, &status);
        self.requests.get_or_create(&labels).inc();
        let latency = self.latencies.get_or_create(&[("route", route.to_owned())]);
        latency.observe(took.as_secs_f64());
    }

    pub(crate) fn count_samples(&self, batch: &BatchVerdict) {
        let counts = [
            ("stored", batch.stored),
            ("repeated", batch.repeated),
            ("rejected", batch.rejected),
        ];
        for (verdict, count) in counts {
            let labels = [("verdict", verdict)];
            self.samples.get_or_create(&labels).inc_by(count.into());
        }
    }

    /// In OpenMetrics' text form, with how everything is now.
    pub(crate) fn text(&self, moment: Moment) -> String {
        let mut now = Registry::with_prefix("kerncast");
        now.register_collector(Box::new(moment));
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = encode_registry(&mut text, &self.registry);
        let _ = encode_registry(&mut text, &now);
        let _ = encode_eof(&mut text);
        text
    }
}

fn request(method: &str, route: &str, status: &str) -> Labels<String, 3> {
    let labels = [("method", method), ("route", route), ("status", status)];
    labels.map(|(name, value)| (name, value.to_owned()))
}

/// A label's value, whatever is in it. The library writes labels as they are.
struct Label<'a>(&'a str);

impl EncodeLabelValue for Label<'_> {
    fn encode(&self, encoder: &mut LabelValueEncoder) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '\\' | '"' => write!(encoder, "\\{character}")?,
                '\n' => encoder.write_str("\\n")?,
                _ => encoder.write_char(character)?,
            }
        }
        Ok(())
    }
}

/// How everything is at one moment.
#[derive(Debug)]
pub(crate) struct Moment {
    pub(crate) overview: Arc<Overview>,
    pub(crate) jobs: FittingJobs,
    /// Bytes of the server's process.
    pub(crate) memory_bytes: Option<i64>,
    pub(crate) database_bytes: i64,
    /// Absent too where the database is elsewhere.
    pub(crate) disk_free_bytes: Option<i64>,
}

impl Collector for Moment {
    fn encode(&self, encoder: DescriptorEncoder) -> fmt::Result {
        let mut gauges = Gauges(encoder);
        let help = "Things that a person should look at (GET /v1/overview)";
        gauges.gauge("attention", help, None, Some(self.overview.attention.len()))?;
        gauges.devices(&self.overview.devices)?;
        gauges.agents(&self.overview)?;
        gauges.jobs(&self.jobs)?;
        let bytes = Some(&Unit::Bytes);
        let help = "Memory of the server's process";
        gauges.gauge("resident_memory", help, bytes, self.memory_bytes)?;
        let help = "What the database takes";
        gauges.gauge("database", help, bytes, Some(self.database_bytes))?;
        let help = "Room on the disk of the data folder";
        gauges.gauge("disk_free", help, bytes, self.disk_free_bytes)
    }
}

struct Gauges<'a>(DescriptorEncoder<'a>);

impl Gauges<'_> {
    fn devices(&mut self, devices: &[DeviceOverview]) -> fmt::Result {
        let help = "Samples stored, by device";
        let samples = devices.iter().map(|it| (of_device(it), it.device.samples));
        self.gauges("device_samples", help, None, samples)?;
        let help = "Mean error of a champion on kernels that its fit had not seen; 0.05 is 5 %";
        let cells = devices.iter();
        let cells = cells.flat_map(|it| it.providers.iter().map(move |cell| (it, cell)));
        let errors = cells.filter_map(|(device, cell)| {
            let errors = cell.champion.as_ref()?.leave_one_kernel_out?;
            let [vendor, device] = of_device(device);
            let labels = [vendor, device, ("provider", Label(&cell.provider))];
            Some((labels, errors.mean_ape))
        });
        self.gauges("champion_mean_ape", help, None, errors)
    }

    fn agents(&mut self, overview: &Overview) -> fmt::Result {
        let help = "Agents that need attention, by state";
        let states = [
            (of_state("silent"), overview.silent_agents),
            (of_state("failing"), overview.failing_agents),
        ];
        self.gauges("agents", help, None, states)?;
        // Nobody waits for those that are retired: what they said last is no state any more.
        let agents = overview.agents.iter();
        let agents = agents.filter(|it| it.state != AgentState::Retired);
        let agents = agents.map(|it| ([("agent", Label(&it.name))], it));
        let seconds = Some(&Unit::Seconds);
        let help = "When an agent last uploaded or reported; of the first thousand by name";
        let last_seen = agents.clone();
        let last_seen = last_seen.map(|(labels, it)| (labels, it.last_seen_at.timestamp()));
        self.gauges("agent_last_seen_timestamp", help, seconds, last_seen)?;
        let help = "Files that waited in an agent's spool at its last report";
        let files = agents.clone();
        let files = files.filter_map(|(labels, it)| Some((labels, it.spool?)));
        self.gauges("agent_spool_files", help, None, files)?;
        let help = "Since when the oldest of these files waited, by the agent's clock";
        let since = agents.filter_map(|(labels, it)| Some((labels, it.spool_since?.timestamp())));
        self.gauges("agent_spool_since_timestamp", help, seconds, since)
    }

    fn jobs(&mut self, jobs: &FittingJobs) -> fmt::Result {
        let help = "Fits that are not done, by state";
        let given_up = jobs.items.iter().filter(|job| job.given_up).count();
        let given_up = i64::try_from(given_up).unwrap_or(i64::MAX);
        let states = [
            (of_state("pending"), jobs.pending),
            (of_state("given_up"), given_up),
        ];
        self.gauges("fitting_jobs", help, None, states)?;
        let help = "When the fit that has waited longest was asked for";
        let pending = jobs.items.iter().filter(|job| !job.given_up);
        let oldest = pending.map(|job| job.requested_at.timestamp()).min();
        let seconds = Some(&Unit::Seconds);
        self.gauge("oldest_fitting_job_timestamp", help, seconds, oldest)
    }

    /// A number, where it is known.
    fn gauge(
        &mut self,
        name: &str,
        help: &str,
        unit: Option<&Unit>,
        value: Option<impl EncodeGaugeValue>,
    ) -> fmt::Result {
        let Some(value) = value else { return Ok(()) };
        let help = format!("{help}.");
        let gauge = MetricType::Gauge;
        let mut encoder = self.0.encode_descriptor(name, &help, unit, gauge)?;
        encoder.encode_gauge(&value)
    }

    /// A number for each set of labels, where there are any.
    fn gauges<'l, V: EncodeGaugeValue, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        unit: Option<&Unit>,
        numbers: impl IntoIterator<Item = (Labels<Label<'l>, N>, V)>,
    ) -> fmt::Result {
        let mut numbers = numbers.into_iter().peekable();
        if numbers.peek().is_none() {
            return Ok(());
        }
        let help = format!("{help}.");
        let gauge = MetricType::Gauge;
        let mut encoder = self.0.encode_descriptor(name, &help, unit, gauge)?;
        numbers.try_for_each(|(labels, value)| encoder.encode_family(&labels)?.encode_gauge(&value))
    }
}

fn of_device(it: &DeviceOverview) -> Labels<Label<'_>, 2> {
    let device = &it.device.device;
    [
        ("vendor", Label(&device.vendor)),
        ("device", Label(&device.name)),
    ]
}

fn of_state(state: &str) -> Labels<Label<'_>, 1> {
    [("state", Label(state))]
}
