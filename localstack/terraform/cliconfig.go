package terraform

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// writeCLIConfig writes a CLI configuration that takes providers from mirrors where they hold them and from the
// registry otherwise, and returns its path.
func writeCLIConfig(work string, mirrors []string, tofu bool) (string, error) {
	var text strings.Builder
	text.WriteString("disable_checkpoint = true\n\nprovider_installation {\n")
	var mirrored []string
	for _, mirror := range mirrors {
		path, err := mirrorFor(work, mirror, tofu)
		if err != nil {
			return "", err
		}
		providers, err := providersIn(path)
		if err != nil {
			return "", err
		}
		mirrored = append(mirrored, providers...)
		fmt.Fprintf(&text, "  filesystem_mirror {\n    path    = %q\n    include = [%s]\n  }\n", path, quoted(providers))
	}
	fmt.Fprintf(&text, "  direct {\n    exclude = [%s]\n  }\n}\n", quoted(mirrored))
	file := filepath.Join(work, "cli.tfrc")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		return "", fmt.Errorf("write Terraform's CLI configuration: %w", err)
	}
	return file, nil
}

func quoted(names []string) string {
	list := make([]string, 0, len(names))
	for _, name := range names {
		list = append(list, fmt.Sprintf("%q", name))
	}
	return strings.Join(list, ", ")
}

// providersIn lists a mirror's providers as HOST/NAMESPACE/TYPE.
func providersIn(mirror string) ([]string, error) {
	dirs, err := filepath.Glob(filepath.Join(mirror, "registry.*", "*", "*"))
	if err != nil {
		return nil, fmt.Errorf("list providers in %s: %w", mirror, err)
	}
	providers := make([]string, 0, len(dirs))
	for _, dir := range dirs {
		name, err := filepath.Rel(mirror, dir)
		if err != nil {
			return nil, fmt.Errorf("list providers in %s: %w", mirror, err)
		}
		providers = append(providers, filepath.ToSlash(name))
	}
	return providers, nil
}

// mirrorFor is the mirror itself for Terraform. OpenTofu asks for the same providers under another host, so it gets a
// mirror of links to them.
func mirrorFor(work, mirror string, tofu bool) (string, error) {
	source := filepath.Join(mirror, terraformHost)
	if _, err := os.Stat(source); !tofu || err != nil {
		return mirror, nil
	}
	linked, err := os.MkdirTemp(work, "mirror-")
	if err != nil {
		return "", fmt.Errorf("make a mirror for OpenTofu: %w", err)
	}
	err = filepath.WalkDir(source, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return linkProvider(source, filepath.Join(linked, tofuHost), path, entry)
	})
	if err != nil {
		return "", fmt.Errorf("make a mirror for OpenTofu: %w", err)
	}
	return linked, nil
}

// linkProvider makes folders down to a version and links what is below: NAMESPACE/TYPE/VERSION/PLATFORM unpacked, or
// NAMESPACE/TYPE/FILE.zip packed.
func linkProvider(source, target, path string, entry fs.DirEntry) error {
	relative, err := filepath.Rel(source, path)
	if err != nil {
		return err
	}
	if entry.IsDir() && depth(source, path) < 4 {
		return os.MkdirAll(filepath.Join(target, relative), 0o755)
	}
	if err := os.Symlink(path, filepath.Join(target, relative)); err != nil {
		return err
	}
	if entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}
