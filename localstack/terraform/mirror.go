package terraform

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const (
	terraformHost = "registry.terraform.io"
	tofuHost      = "registry.opentofu.org"
	// searchDepth is how far below the root a mirror is looked for when it is in no usual place.
	searchDepth = 4
)

// FindMirror returns a folder that holds registry.terraform.io/hashicorp/aws, or "" if there is none on this machine:
// $TF_PLUGIN_MIRROR, then the folders where Terraform itself looks, then a shallow search below root.
func FindMirror(getenv func(string) string, root string) string {
	for _, dir := range usualMirrors(getenv) {
		if isMirror(dir) {
			return dir
		}
	}
	return searchMirror(root)
}

func usualMirrors(getenv func(string) string) []string {
	home := getenv("HOME")
	dirs := []string{
		getenv("TF_PLUGIN_MIRROR"),
		filepath.Join(home, ".terraform.d", "plugins"),
		filepath.Join(orDefault(getenv("XDG_DATA_HOME"), filepath.Join(home, ".local", "share")), "terraform", "plugins"),
	}
	for _, data := range filepath.SplitList(orDefault(getenv("XDG_DATA_DIRS"), "/usr/local/share:/usr/share")) {
		dirs = append(dirs, filepath.Join(data, "terraform", "plugins"))
	}
	return dirs
}

func orDefault(value, fallback string) string {
	if value == "" {
		return fallback
	}
	return value
}

func isMirror(dir string) bool {
	if dir == "" {
		return false
	}
	info, err := os.Stat(filepath.Join(dir, terraformHost, "hashicorp", "aws"))
	return err == nil && info.IsDir()
}

// notSearched are folders of the root that hold no files of the user's.
var notSearched = map[string]bool{"proc": true, "sys": true, "dev": true, "run": true, "boot": true}

func searchMirror(root string) string {
	found := ""
	_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && path == root:
			return err
		case err != nil || !entry.IsDir():
			return nil // unreadable folders are passed over
		case entry.Name() == terraformHost && isMirror(filepath.Dir(path)):
			found = filepath.Dir(path)
			return fs.SkipAll
		case depth(root, path) > searchDepth || (depth(root, path) == 1 && notSearched[entry.Name()]):
			return fs.SkipDir
		}
		return nil
	})
	return found
}

func depth(root, path string) int {
	relative, err := filepath.Rel(root, path)
	if err != nil || relative == "." {
		return 0
	}
	return strings.Count(relative, string(filepath.Separator)) + 1
}
