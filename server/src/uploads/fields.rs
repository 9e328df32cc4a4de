//! Fields that several uploads have, and what they must be beyond their JSON types.

use kerncast_wire::{Agent, Conditions, Device, Provenance};

use crate::http::{Checker, MOST_NAMES, escaped};

impl Checker<'_> {
    pub(crate) fn agent(&mut self, agent: &Agent) {
        self.name("/agent/name", &agent.name);
        self.name("/agent/version", &agent.version);
    }

    pub(crate) fn device(&mut self, device: &Device) {
        self.name("/device/vendor", &device.vendor);
        self.name("/device/name", &device.name);
        let numbers = [
            ("/device/global_memory_bytes", device.global_memory_bytes),
            ("/device/local_memory_bytes", device.local_memory_bytes),
            ("/device/max_work_group_size", device.max_work_group_size),
            ("/device/max_buffer_bytes", device.max_buffer_bytes),
            ("/device/cache_bytes", device.cache_bytes),
        ];
        for (at, number) in numbers {
            if let Some(number) = number.filter(|&number| i64::try_from(number).is_err()) {
                self.wrong(at, number, format!("at most {}", i64::MAX));
            }
        }
        // A device without memory of a kind says 0, and one without limits says nothing.
        for (at, limit) in &numbers[2..] {
            if *limit == Some(0) {
                self.wrong(at, 0, "a number above 0, or none where it is not known");
            }
        }
    }

    pub(crate) fn conditions(&mut self, conditions: &Conditions) {
        let Conditions {
            compute_clock_mhz,
            memory_clock_mhz,
            temperature_c,
            power_w,
            throttle_reasons,
            other_processes: _,
        } = conditions;
        // Far beyond any device: a number out here is a mistake in units.
        for (name, value, least, most) in [
            ("compute_clock_mhz", compute_clock_mhz, 0.0, 1e6),
            ("memory_clock_mhz", memory_clock_mhz, 0.0, 1e6),
            ("temperature_c", temperature_c, -273.15, 1e4),
            ("power_w", power_w, 0.0, 1e6),
        ] {
            if let &Some(value) = value {
                self.number(format_args!("/conditions/{name}"), value, least, most);
            }
        }
        let at = "/conditions/throttle_reasons";
        let reasons = throttle_reasons.iter().flatten();
        self.at_most(at, reasons.clone().count(), MOST_NAMES, "reasons");
        for reason in reasons {
            self.name(at, reason);
        }
    }

    pub(crate) fn provenance(&mut self, provenance: &Provenance) {
        let texts = [
            ("source_hash", &provenance.source_hash),
            ("build_options", &provenance.build_options),
            ("driver_version", &provenance.driver_version),
            ("platform_version", &provenance.platform_version),
        ];
        for (name, text) in texts {
            if let Some(text) = text {
                self.text(format_args!("/provenance/{name}"), text);
            }
        }
        let tools = provenance.tools.len();
        self.at_most("/provenance/tools", tools, MOST_NAMES, "tools");
        for (tool, version) in &provenance.tools {
            let at = format!("/provenance/tools/{}", escaped(tool));
            self.name(&at, tool);
            self.text(&at, version);
        }
    }
}
