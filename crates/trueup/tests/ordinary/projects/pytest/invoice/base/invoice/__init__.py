"""Invoices as plain text."""
