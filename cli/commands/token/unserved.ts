import { commaList } from '../../../core/input.ts'
import type { Cli } from '../../cli.ts'

/** Warns about models that no channel serves, so that a misspelled name is found before the first request. */
export async function warnOfUnserved(
  cli: Cli,
  modelLimits: string | undefined,
  readUsable: () => Promise<readonly string[]>,
): Promise<void> {
  const models = commaList(modelLimits ?? '')
  if (models.length === 0) return
  const served = new Set(await readUsable())
  const unserved = models.filter((model) => !served.has(model))
  if (unserved.length > 0) cli.note(cli.t('token.warningNoChannelAvailable', { unserved: unserved.join(', ') }))
}
