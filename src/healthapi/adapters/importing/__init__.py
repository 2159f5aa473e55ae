"""Read export archives: zip files, tar files and folders, as streams with bounds."""
