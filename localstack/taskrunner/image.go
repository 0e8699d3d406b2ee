package taskrunner

import "context"

// HasImage reports whether a container engine runs on this machine and has the image.
func HasImage(ctx context.Context, image string) bool {
	d, ok := FindDocker(ctx)
	return ok && d.run(ctx, "image", "inspect", image) == nil
}
