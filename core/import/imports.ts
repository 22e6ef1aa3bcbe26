import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { ImportReport } from './report.ts'
import type { ImportParts, ImportRequest } from './run.ts'
import type { StoredImport } from './stored-imports.ts'
import type { UndoReport } from './undo.ts'

export type { ImportReport, Product } from './report.ts'
export type { ImportRequest } from './run.ts'
export type { StoredImport } from './stored-imports.ts'

/** Moving in from other gateways. Works on the database itself. */
export interface Imports {
  /** Imports a source, or reports what would come. Resumes an import that was interrupted. Throws IMPORT_*. */
  run(actor: Actor, request: ImportRequest): Promise<ImportReport>
  /** All imports, newest first. */
  list(actor: Actor): Promise<StoredImport[]>
  /** Takes an import back while nothing depends on it. Throws IMPORT_*. */
  undo(actor: Actor, id: number): Promise<UndoReport>
}

/** What imports need is loaded when one begins: a gateway has no use for it. */
export function createImports(parts: ImportParts): Imports {
  return {
    async run(actor, request) {
      return (await import('./run.ts')).runImport(parts, actor, request)
    },
    async list(actor) {
      requireRole(actor, ROLE.root)
      return (await import('./stored-imports.ts')).readImports(parts.db.reader)
    },
    async undo(actor, id) {
      return (await import('./undo.ts')).undoImport(parts, actor, id)
    },
  }
}
