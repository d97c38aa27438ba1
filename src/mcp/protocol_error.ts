/**
 * Errors of the protocol itself, which are none of the tool's.
 *
 * @module
 */

/** The codes that this server answers with. */
const CODES = {
  invalidParams: -32602,
  resourceNotFound: -32002,
} as const;

/** Thrown in a handler, and sent to the client with its code. */
export class ProtocolError extends Error {
  readonly code: number;
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(
    code: keyof typeof CODES,
    message: string,
    data?: Readonly<Record<string, unknown>>,
  ) {
    super(message);
    this.name = "ProtocolError";
    this.code = CODES[code];
    this.data = data;
  }
}
