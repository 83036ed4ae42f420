.PHONY: install run check test test-all bench demo
install: ; pip install -r requirements.txt && pip install -e ".[dev]"
run:     ; streamlit run app/main.py
check:   ; ruff format --check . && ruff check . && mypy && lint-imports && pytest
test:    ; pytest
test-all:; pytest -m "" -rs
bench:   ; set -e; for f in benchmarks/*.py; do python $$f; done

# The shipped study: six runs on drawn scenes with one budget and one seed, about a quarter of an hour on two cores.
demo: export GATESCOPE_STORE = assets
BUDGET = --study demo --dataset scenes --data-n-test 1200 --width 16 --hidden 512 --dimensions 128 --epochs 12 \
         --view-crop-low 0.3 --view-blur 0 --precision bf16
TRAIN  = python -m bncl_core train $(BUDGET)
RUNS   = cl ncl ncl-topk bayes-ncl bayes-ncl-published-prior bayes-ncl-sparse-prior
demo:
	rm -rf assets/demo
	python -m bncl_core study demo --title "The shared sky" --question "Birds and aeroplanes share the blue sky half of \
	the time; nothing else stands on it. Which dimensions does a Bayesian gate turn off, in which images, and is it the \
	shared background? Six encoders, one budget, one seed."
	$(TRAIN) --name cl --objective simclr
	$(TRAIN) --name ncl --objective ncl
	$(TRAIN) --name ncl-topk --objective ncl_topk --gate-topk 8
	$(TRAIN) --name bayes-ncl --objective bayes_ncl --gate-bias 1 --prior 0.5 --kl-weight 3e-5
	$(TRAIN) --name bayes-ncl-published-prior --objective bayes_ncl --prior 0.8 --kl-weight 3e-5
	$(TRAIN) --name bayes-ncl-sparse-prior --objective bayes_ncl --prior 0.2 --kl-weight 1e-4
	for run in $(RUNS); do \
	  python -m bncl_core index demo/$$run && python -m bncl_core measure demo/$$run > /dev/null || exit 1; done
