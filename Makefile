.PHONY: install run check test test-all bench demo
install: ; pip install -r requirements.txt && pip install -e ".[dev]"
run:     ; streamlit run app/main.py
check:   ; ruff format --check . && ruff check . && mypy && lint-imports && pytest
test:    ; pytest
test-all:; pytest -m "" -rs
bench:   ; for f in benchmarks/*.py; do python $$f; done
demo:    ; python -m benchmarks.demo
