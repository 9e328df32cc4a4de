-- The overview counts every device's samples, kernels and agents: from this index alone.
DROP INDEX samples_device_id_idx;
CREATE INDEX ON samples (device_id, workload_id, measured_at, origin, agent_id);
