-- The values of a device's new samples may go to all shards, each sample's to one of them: machines of one kind are one
-- device, and the commonest of a large company may be a third of all samples. `shard` does not matter then.
ALTER TABLE devices ADD spread boolean NOT NULL DEFAULT false;
