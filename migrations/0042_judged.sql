-- Which of a model's hold-outs says whether it answers rather than another: families, or kernels where there are too
-- few of these or they were not left out; devices where nothing else was. Absent: nothing was left out. Models of
-- before were judged by kernels; the next fit judges them anew.
ALTER TABLE models ADD judged_by text CHECK (judged_by IN ('kernel', 'family', 'device'));
UPDATE models SET judged_by = 'kernel'
FROM hold_outs WHERE model_id = id AND key = 'kernel';
