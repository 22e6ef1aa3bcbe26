import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { ImportReport } from './report.ts'
import type { ImportParts, ImportRequest } from './run.ts'
import type { StoredImport } from './stored-imports.ts'
import type { UndoReport } from './undo.ts'

export type { ImportReport, Product } from './report.ts'
export type { ImportRequest } from './run.ts'
export type { StoredImport } from './stored-imports.ts'

/** Operations to import data of other gateways. They need direct access to the database and the root role. */
export type Imports = ReturnType<typeof createImports>

/** Loads the import code on first use, because gateways do not need it. */
export function createImports(parts: ImportParts) {
  return {
    /**
     * Imports a source, or reports what an import would do (dry run). Resumes an interrupted import. Throws IMPORT_*.
     */
    async run(actor: Actor, request: ImportRequest): Promise<ImportReport> {
      return (await import('./run.ts')).executeImport(parts, actor, request)
    },
    /** Returns all imports, newest first. */
    async list(actor: Actor): Promise<StoredImport[]> {
      requireRole(actor, ROLE.root)
      return (await import('./stored-imports.ts')).readImports(parts.db.reader)
    },
    /** Undoes an import if no other rows depend on it. Throws IMPORT_*. */
    async undo(actor: Actor, id: number): Promise<UndoReport> {
      return (await import('./undo.ts')).undoImport(parts, actor, id)
    },
  }
}
