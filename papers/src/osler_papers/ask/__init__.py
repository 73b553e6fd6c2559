"""What AAR's paper compares with (seed 004), and how answers are measured."""
