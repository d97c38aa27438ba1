/** The error that failed assertions throw. */
export class AssertionError extends Error {
  /** The name by which the error is reported. */
  override name = "AssertionError";

  /** Makes an error with a message and, optionally, a cause. */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
  }
}
