"""How schemathesis sends a JWT: as the text that it is."""
import schemathesis


@schemathesis.serializer("application/jose", "application/jwt")
def jwt(ctx, value):
    return value if isinstance(value, bytes) else str(value).encode()
