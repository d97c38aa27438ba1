import { DatabaseSync } from "node:sqlite";
import { servePeer } from "../peer.ts";

const synchronous = new URL(import.meta.url).searchParams.get("synchronous");
servePeer((path, document) => {
  const db = new DatabaseSync(`${path}.sqlite`);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`);
  db.exec(
    "CREATE TABLE tasks (id TEXT PRIMARY KEY, content TEXT, status TEXT, " +
      "blocked_by TEXT, completed_at INT, created_at INT, updated_at INT)",
  );
  const insert = db.prepare("INSERT INTO tasks VALUES (?, ?, ?, ?, ?, ?, ?)");
  db.exec("BEGIN");
  for (const row of document.tasks) {
    insert.run(
      row.id,
      row.content,
      row.status,
      row.blockedBy ? JSON.stringify(row.blockedBy) : null,
      row.completed_at ?? null,
      row.created_at,
      row.updated_at,
    );
  }
  db.exec("COMMIT");
  const update = db.prepare(
    "UPDATE tasks SET content = ?, status = ?, updated_at = ? WHERE id = ?",
  );
  return (row) => {
    update.run(row.content, row.status, row.updated_at, row.id);
    return JSON.stringify(document);
  };
});
