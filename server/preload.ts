import { createRequire } from 'node:module'
import { loadConfusables } from '../core/accounts/lookalikes.ts'
import { loadHashing } from '../core/accounts/passwords.ts'
import { loadArchiving } from '../core/logs/archive/archive.ts'
import { loadMailer } from '../core/mail/mail.ts'
import { loadLibrary } from '../core/pricing/library.ts'
import { loadSoundParsers } from './relay/endpoints/sound-format.ts'

/** undici loads its parser with the first connection. */
const HTTP_PARSER = 'undici/lib/llhttp/llhttp_simd-wasm.js'

/**
 * Loads modules that requests need and commands load lazily. A gateway calls this before it listens: an import that fails once,
 * such as at the limit of open files, fails permanently, and an upgrade may replace the files.
 */
export async function preload(): Promise<void> {
  createRequire(import.meta.url)(HTTP_PARSER)
  loadConfusables()
  await Promise.all([loadHashing(), loadMailer(), loadLibrary(), loadSoundParsers(), loadArchiving()])
}
