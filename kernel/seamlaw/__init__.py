"""Seamlaw decides what an AI agent may do, by laws that are written down and checked."""
