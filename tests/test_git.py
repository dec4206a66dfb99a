"""git as we see it: real repositories of every odd shape, and messages that hold the command that helps."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from knownbad.errors import BadInput
from knownbad.git import Repository as Seen
from repository import Repository


@pytest.fixture
def made(tmp_path: Path) -> Repository:
    """Two commits on `main`, and a branch `topic` with a third."""
    one = Repository.new(tmp_path / "made")
    one.put("schemas/a.schema.json", {"type": "string"})
    one.put("schemas/ä ö/b c.schema.json", {"type": "null"})
    one.put("readme.md", "no data\n")
    one.commit("first")
    one.put("schemas/a.schema.json", {"type": "number"})
    one.commit("second")
    one.git("switch", "--quiet", "--create", "topic")
    one.put("schemas/a.schema.json", {"type": "boolean"})
    one.commit("third")
    return one


def refused(seen: Seen, revision: str, *, merging: bool = False) -> str:
    with pytest.raises(BadInput) as caught:
        seen.merge_base(revision) if merging else seen.commit(revision)
    (problem,) = caught.value.problems
    return problem.fix or ""


def followed(repository: Repository, fix: str) -> None:
    """Do what a message says."""
    program, *arguments = shlex.split(fix[fix.index("git ") :])
    assert program == "git"
    repository.git(*arguments)


def test_a_file_is_read_as_a_revision_has_it(made: Repository) -> None:
    seen = Seen.around(made.folder / "schemas")
    assert seen.top == made.folder.resolve()
    assert seen.tree("main").read("schemas/a.schema.json") == b'{\n  "type": "number"\n}\n'
    assert seen.tree("main~1").read("schemas/a.schema.json") == b'{\n  "type": "string"\n}\n'
    assert seen.tree("main").read("schemas/ä ö/b c.schema.json") == b'{\n  "type": "null"\n}\n'
    assert seen.tree("main").read("schemas/none.json") is None
    assert seen.tree("main").read("schemas") is None


def test_the_data_of_a_revision_is_written_as_it_is_laid_out(made: Repository) -> None:
    with Seen.around(made.folder).tree("main").written() as folder:
        files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
        assert files == ["schemas/a.schema.json", "schemas/ä ö/b c.schema.json"]
        assert "number" in (folder / "schemas/a.schema.json").read_text(encoding="utf-8")
    assert not folder.exists()


def test_only_what_is_below_the_named_folders_is_written(made: Repository) -> None:
    with Seen.around(made.folder).tree("main").written(["schemas/ä ö"]) as folder:
        assert [path.name for path in folder.rglob("*.json")] == ["b c.schema.json"]


def test_the_merge_base_is_where_the_branches_part(made: Repository) -> None:
    main = made.git("rev-parse", "main")
    made.git("switch", "--quiet", "main")
    made.put("readme.md", "more\n")
    made.commit("main goes on")
    made.git("switch", "--quiet", "topic")
    assert Seen.around(made.folder).merge_base("main") == main


def test_a_worktree_and_a_detached_head_are_as_good_as_a_clone(made: Repository, tmp_path: Path) -> None:
    made.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "other tree"), "main")
    seen = Seen.around(tmp_path / "other tree" / "schemas")
    assert seen.top == (tmp_path / "other tree").resolve()
    assert seen.commit("HEAD") == made.git("rev-parse", "main")
    assert seen.merge_base("topic") == made.git("rev-parse", "main")


def test_a_repository_that_only_variables_name_is_found(
    made: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a CI system keeps a bare clone apart from the files."""
    bare = made.clone(tmp_path / "kept.git", "--bare")
    files = tmp_path / "files"
    (files / "schemas").mkdir(parents=True)
    monkeypatch.chdir(files)
    monkeypatch.setenv("GIT_DIR", "../kept.git")
    seen = Seen.around(files / "schemas")
    assert seen.top == files.resolve()
    assert seen.tree("main").read("schemas/a.schema.json") is not None
    assert seen.commit("main") == bare.git("rev-parse", "main")


def test_the_variables_of_a_hook_do_not_hide_the_repository_of_another_folder(
    made: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Repository.new(tmp_path / "hooked")
    other.commit("another history")
    monkeypatch.chdir(other.folder)
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    assert Seen.around(made.folder).commit("main") == made.git("rev-parse", "main")


def test_a_folder_without_a_repository_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="needs a git repository"):
        Seen.around(tmp_path)


def test_a_machine_without_git_is_told_so(made: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(BadInput, match="git, which is not installed"):
        Seen.around(made.folder)


# --- what is missing, and the command that brings it


def test_a_shallow_clone_of_one_branch_names_the_fetch_that_helps(made: Repository, tmp_path: Path) -> None:
    clone = made.clone(tmp_path / "clone", "--depth=1", "--branch=topic", "--single-branch")
    fix = refused(Seen.around(clone.folder), "origin/main")
    assert fix == "run: git fetch --no-tags --unshallow origin +refs/heads/main:refs/remotes/origin/main"
    followed(clone, fix)
    assert Seen.around(clone.folder).merge_base("origin/main") == made.git("rev-parse", "main")


def test_two_shallow_branches_without_a_common_commit_name_the_fetch_that_helps(
    made: Repository, tmp_path: Path
) -> None:
    made.git("switch", "--quiet", "main")
    made.put("readme.md", "more\n")
    made.commit("main goes on")
    clone = made.clone(tmp_path / "clone", "--depth=1", "--no-single-branch", "--branch=topic")
    fix = refused(Seen.around(clone.folder), "origin/main", merging=True)
    assert fix == "run: git fetch --no-tags --unshallow origin +refs/heads/main:refs/remotes/origin/main"
    followed(clone, fix)
    assert Seen.around(clone.folder).merge_base("origin/main") == made.git("rev-parse", "main~1")


def test_a_parent_beyond_a_shallow_history_names_the_fetch_that_helps(made: Repository, tmp_path: Path) -> None:
    clone = made.clone(tmp_path / "clone", "--depth=1", "--branch=topic")
    fix = refused(Seen.around(clone.folder), "HEAD~1")
    assert fix == "run: git fetch --no-tags --unshallow origin"
    followed(clone, fix)
    assert Seen.around(clone.folder).commit("HEAD~1") == made.git("rev-parse", "main")


def test_a_branch_without_the_remote_s_name_is_offered_with_it(made: Repository, tmp_path: Path) -> None:
    clone = made.clone(tmp_path / "clone", "--branch=topic", "--single-branch")
    fix = refused(Seen.around(clone.folder), "main")
    assert fix == "name origin/main, after: git fetch --no-tags origin +refs/heads/main:refs/remotes/origin/main"
    followed(clone, fix)
    assert Seen.around(clone.folder).merge_base("origin/main") == made.git("rev-parse", "main")


def test_a_commit_that_is_not_there_is_fetched_by_its_name(made: Repository, tmp_path: Path) -> None:
    made.git("config", "uploadpack.allowAnySHA1InWant", "true")
    main = made.git("rev-parse", "main")
    clone = made.clone(tmp_path / "clone", "--depth=1", "--branch=topic")
    fix = refused(Seen.around(clone.folder), main)
    assert fix == f"run: git fetch --no-tags --unshallow origin {main}"
    followed(clone, fix)
    assert Seen.around(clone.folder).merge_base(main) == main


@pytest.mark.parametrize("revision", ["mian", "-mian", ""])
def test_without_a_remote_the_revisions_that_there_are_are_named(made: Repository, revision: str) -> None:
    assert "main" in refused(Seen.around(made.folder), revision)


def test_histories_that_never_met_are_told_apart_from_shallow_ones(made: Repository) -> None:
    made.git("switch", "--quiet", "--orphan", "alone")
    made.commit("another beginning")
    assert "a revision that this branch was made from" in refused(Seen.around(made.folder), "main", merging=True)


# --- submodules and links


@pytest.fixture
def outer(made: Repository, tmp_path: Path) -> Repository:
    """A repository with the other one as its submodule, at `main`, with `topic` checked out since."""
    one = Repository.new(tmp_path / "outer")
    one.git("submodule", "--quiet", "add", "-b", "main", made.folder.as_uri(), "libs/made")
    one.commit("with a submodule")
    Repository(one.folder / "libs/made").git("switch", "--quiet", "--detach", "origin/topic")
    return one


def test_a_file_in_a_submodule_is_the_one_of_the_commit_that_the_tree_names(outer: Repository) -> None:
    tree = Seen.around(outer.folder).tree("HEAD")
    assert tree.read("libs/made/schemas/a.schema.json") == b'{\n  "type": "number"\n}\n'
    with tree.written() as folder:
        assert "number" in (folder / "libs/made/schemas/a.schema.json").read_text(encoding="utf-8")


def test_a_folder_in_a_submodule_is_in_the_submodule_s_repository(outer: Repository) -> None:
    seen = Seen.around(outer.folder / "libs/made/schemas")
    assert seen.top == (outer.folder / "libs/made").resolve()
    assert seen.tree("origin/main").read("schemas/a.schema.json") == b'{\n  "type": "number"\n}\n'


def test_a_link_leads_to_its_file_unless_it_leaves_the_tree(made: Repository) -> None:
    (made.folder / "link.json").symlink_to("schemas/a.schema.json")
    (made.folder / "out.json").symlink_to("../elsewhere.json")
    made.commit("links")
    tree = Seen.around(made.folder).tree("HEAD")
    assert tree.read("link.json") == b'{\n  "type": "boolean"\n}\n'
    assert tree.read("out.json") is None
    with tree.written() as folder:
        assert "boolean" in (folder / "link.json").read_text(encoding="utf-8")
        assert not (folder / "out.json").is_symlink()
