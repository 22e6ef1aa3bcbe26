import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import type { Database } from '../db/database.ts'
import type { Secrets } from '../secrets.ts'
import type { Manifest } from './folder.ts'
import type { PeerExport } from './new-api.ts'

export type { Manifest } from './folder.ts'
export type { PeerExport } from './new-api.ts'

/** Exports all data. Root only. Exports are audited, because they can contain keys. */
export interface Exports {
  /** Exports all tables as JSON Lines with a manifest. `withSecrets` adds keys in clear text. Throws EXPORT_FAILED. */
  toFolder(actor: Actor, folder: string, options: { withSecrets: boolean; signal?: AbortSignal }): Promise<Manifest>
  /** Creates a SQLite database for new-api 0.4.7, which requires keys in clear text. Throws EXPORT_FAILED. */
  toNewApi(actor: Actor, file: string, options?: { signal?: AbortSignal }): Promise<PeerExport>
}

export function createExports(parts: { db: Database; secrets: Secrets; audit: Audit; now: () => number }): Exports {
  const { db, secrets, audit, now } = parts
  const auditExport = (actor: Actor, object: string) =>
    audit.writeAlone(actor, { action: 'export.run', object: `export:${object}` })
  return {
    async toFolder(actor, folder, { withSecrets, signal }) {
      requireRole(actor, ROLE.root)
      const { exportToFolder } = await import('./folder.ts')
      await auditExport(actor, folder)
      return exportToFolder(db, folder, { secrets: withSecrets ? secrets : undefined, now: now(), signal })
    },
    async toNewApi(actor, file, { signal } = {}) {
      requireRole(actor, ROLE.root)
      const { exportToNewApi } = await import('./new-api.ts')
      await auditExport(actor, file)
      return exportToNewApi(db, file, { secrets, signal })
    },
  }
}
