import { createRequire } from 'node:module'
import { loadConfusables } from '../core/accounts/lookalikes.ts'
import { loadHashing } from '../core/accounts/passwords.ts'
import { loadArchiving } from '../core/logs/archive/archive.ts'
import { loadMailer } from '../core/mail/mail.ts'
import { loadLibrary } from '../core/pricing/library.ts'
import { loadSoundParsers } from './relay/endpoints/sound-format.ts'

/** The HTTP parser of undici. Without this preload, undici loads the parser at its first connection. */
const HTTP_PARSER = 'undici/lib/llhttp/llhttp_simd-wasm.js'

/**
 * Loads the modules that requests need and that commands load lazily. A gateway calls this before it listens, for two
 * reasons. First, if an import fails once, such as at the limit of open files, each later import of the module fails.
 * Second, an upgrade may replace the files.
 */
export async function preload(): Promise<void> {
  createRequire(import.meta.url)(HTTP_PARSER)
  loadConfusables()
  await Promise.all([loadHashing(), loadMailer(), loadLibrary(), loadSoundParsers(), loadArchiving()])
}
