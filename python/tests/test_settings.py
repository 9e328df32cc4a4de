"""Settings come from where the program `kerncast` has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kerncast import KerncastError, settings


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "kerncast").mkdir()
    (tmp_path / "kerncast/token").write_text("of the file\n")
    (tmp_path / "kerncast/config.toml").write_text(
        'server = "https://lab:7310"\ntoken-file = "token"\ncertificate = "lab.pem"\n'
    )
    return tmp_path


def test_what_is_given_goes_before_the_environment_and_that_before_the_file(folder: Path) -> None:
    environment = {"XDG_CONFIG_HOME": str(folder)}
    config = settings.find(environment=environment)
    assert (config.url, config.token) == ("https://lab:7310", "of the file")
    assert config.certificate == folder / "kerncast/lab.pem"
    environment |= {"KERNCAST_SERVER": "http://there:1/", "KERNCAST_TOKEN": "of the variable"}
    config = settings.find(environment=environment)
    assert (config.url, config.token) == ("http://there:1", "of the variable")
    environment["KERNCAST_TOKEN_FILE"] = str(folder / "kerncast/token")
    assert settings.find(environment=environment).token == "of the file"
    config = settings.find("http://here:2", "given", environment=environment)
    assert (config.url, config.token) == ("http://here:2", "given")


def test_without_any_it_is_this_machine_s_server(tmp_path: Path) -> None:
    environment = {"XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    assert settings.find(environment=environment).url == "http://127.0.0.1:7310"


def test_mistakes_are_told(folder: Path) -> None:
    config = folder / "kerncast/config.toml"
    environment = {"XDG_CONFIG_HOME": str(folder)}
    with pytest.raises(KerncastError, match="address"):
        settings.find("lab:7310", environment=environment)
    with pytest.raises(KerncastError, match="nowhere"):
        settings.find(environment=environment | {"KERNCAST_TOKEN_FILE": "nowhere"})
    for text in ("server = 7\n", "server = \n"):
        config.write_text(text)
        with pytest.raises(KerncastError, match=r"config\.toml"):
            settings.find(environment=environment)
