/**
 * Sessions, read without being opened.
 *
 * {@linkcode readSidecar} tells what opening a session would find, and
 * {@linkcode listSessions} which sessions a directory holds. Neither writes,
 * moves or resets anything, so both may be used while an agent is at work. No
 * worker is started, and the state machine is not loaded.
 *
 * @module
 */

export {
  type ErrorData,
  TasksError,
  type TasksErrorCode,
} from "../model/errors.ts";
export { listSessions, type SessionFile } from "./list_sessions.ts";
export {
  type CorruptSidecar,
  type MissingSidecar,
  readSidecar,
  type ReadSidecarOptions,
  type RefusedSidecar,
  type SidecarReading,
  type SoundSidecar,
} from "./read_sidecar.ts";
export type { SessionDirOptions } from "../location/session_dir.ts";
export type {
  SessionWarning,
  Snapshot,
  Task,
  TaskStatus,
  WarningCode,
} from "../model/task.ts";
