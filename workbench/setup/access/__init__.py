"""Contain what people and scripts need to sign in: passwords, access tokens, their secrets, and the record of sign-ins."""
