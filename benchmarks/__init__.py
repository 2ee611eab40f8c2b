"""What the seams cost, beside a floor and beside what people would use instead."""
