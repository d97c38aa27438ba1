/**
 * Views of a task graph for terminals.
 *
 * Each view is a pure function from a snapshot and a size to lines of text, so
 * that a host can put them wherever it draws: {@linkcode renderPinnedPanel},
 * {@linkcode renderAgentPanel} and {@linkcode renderTaskModal}. Where somebody
 * is in a view is plain data, changed by pure functions that take a key press.
 *
 * {@linkcode openScreen} puts frames made of such lines on a terminal, for hosts
 * that have no drawing of their own.
 *
 * @module
 */

export {
  agentPanelKey,
  type AgentPanelView,
  createAgentPanelView,
  renderAgentPanel,
} from "./agent_panel.ts";
export type { Key } from "./key.ts";
export { type PinnedPanelOptions, renderPinnedPanel } from "./pinned_panel.ts";
export {
  type Frame,
  openScreen,
  type Screen,
  type ScreenOptions,
} from "./screen.ts";
export type { Size } from "./size.ts";
export {
  renderTaskModal,
  taskModalKey,
  type TaskModalView,
} from "./task_modal.ts";
export {
  processTerminal,
  type Terminal,
  type TerminalEvents,
} from "./terminal.ts";
export { fit, type Span, wrap } from "./text.ts";
export type { Snapshot, Task, TaskStatus } from "../model/task.ts";
export type { ViewOptions } from "./view_options.ts";
