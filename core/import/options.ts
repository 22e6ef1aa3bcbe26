import type { Knex } from 'knex'
import { recordChange } from '../changes/changes.ts'
import { GatewayError } from '../errors.ts'
import { errorText } from '../messages/messages.ts'
import { findOption } from '../options/registry.ts'
import type { Secrets } from '../secrets.ts'
import type { OptionNote } from './report.ts'
import { storable } from './values.ts'

/** Options with another name in Tollgate. */
const RENAMED: Readonly<Record<string, string>> = {
  'oidc.enabled': 'OIDCEnabled',
  'oidc.client_id': 'OIDCClientId',
  'oidc.client_secret': 'OIDCClientSecret',
  'oidc.well_known': 'OIDCIssuer',
  OidcEnabled: 'OIDCEnabled',
  OidcClientId: 'OIDCClientId',
  OidcClientSecret: 'OIDCClientSecret',
  OidcWellKnown: 'OIDCIssuer',
}
const WELL_KNOWN = /\/\.well-known\/openid-configuration\/?$/

/** Options without an effect in Tollgate, with the reason. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  Theme: 'the console has themes of its own',
  ApproximateTokenEnabled: 'tokens are always counted exactly',
  BatchUpdateEnabled: 'charges are always written in batches',
  BatchUpdateInterval: 'charges are always written in batches',
  SelfUseModeEnabled: 'DefaultModelRatio decides whether models without a price are served',
  DefaultUseAutoGroup: 'there are no automatic groups',
  AutoGroups: 'there are no automatic groups',
  StreamCacheQueueLength: 'replies are never queued',
  LarkClientId: 'sign-in with Lark has no counterpart',
  LarkClientSecret: 'sign-in with Lark has no counterpart',
  MessagePusherAddress: 'notices go to notice targets',
  MessagePusherToken: 'notices go to notice targets',
}

/** The options to import. `values` are the options to store, with secrets in clear text. */
interface OptionPlan {
  values: ReadonlyMap<string, string>
  notes: OptionNote[]
}

/** Decides which options of the source are imported. An option that is set in the target keeps its value. */
export function planOptions(source: ReadonlyMap<string, string>, stored: ReadonlyMap<string, string>): OptionPlan {
  const values = new Map<string, string>()
  const notes: OptionNote[] = []
  for (const [name, sourceText] of source) {
    const key = RENAMED[name] ?? name
    const note = (outcome: OptionNote['outcome'], what: string) => void notes.push({ key: name, outcome, what })
    const option = findOption(key)
    if (!option) {
      if (WITHOUT_EFFECT[name] !== undefined) note('without effect', WITHOUT_EFFECT[name])
      else note('unknown', 'it has no counterpart')
      continue
    }
    const value = key === 'OIDCIssuer' ? storable(sourceText).replace(WELL_KNOWN, '') : storable(sourceText)
    const result = checkedValue(option.check, value)
    if ('reason' in result) note('invalid', result.reason)
    else if (stored.get(key) === result.text) note('same', '')
    else if (stored.has(key)) note('kept', 'it is set here already, to another value')
    else {
      values.set(key, result.text)
      note('imported', key === name ? '' : `as ${key}`)
    }
  }
  return { values, notes }
}

function checkedValue(check: (text: string) => string, value: string): { text: string } | { reason: string } {
  try {
    return { text: check(value) }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return { reason: errorText(error, 'en') }
  }
}

/** Returns the stored options by key, with secrets in clear text. */
export async function readStoredOptions(db: Knex, secrets: Secrets): Promise<Map<string, string>> {
  const rows = await db('options').select('key', 'value')
  return new Map(rows.map(({ key, value }) => [key, findOption(key)?.secret ? secrets.open(value) : value]))
}

/** Stores options, in the caller's transaction. */
export async function writeOptions(
  trx: Knex.Transaction,
  values: ReadonlyMap<string, string>,
  secrets: Secrets,
): Promise<void> {
  for (const [key, text] of values) {
    const value = findOption(key)?.secret ? secrets.seal(text) : text
    await trx('options').insert({ key, value }).onConflict('key').merge(['value'])
  }
  await recordChange(trx, 'option', [...values.keys()])
}
