import { withMember } from '../../../components/json-text.ts'
import type { MultiKeyMode } from './channel-form.ts'

const NAME = 'multi_key_mode'

/** The settings with the word that makes one channel of several keys. Text that is no JSON object stays: it is refused as it is. */
export function withMultiKeyMode(setting: string, mode: MultiKeyMode): string {
  return withMember(setting.trim() || '{}', NAME, `"${mode}"`) ?? setting.trim()
}

/** The settings as the form shows them beside its own choice of the mode; empty when there are no others. */
export function withoutMultiKeyMode(setting: string): string {
  const settings = withMember(setting, NAME, undefined) ?? '{}'
  return settings === '{}' ? '' : settings
}
