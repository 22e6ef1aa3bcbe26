import { withMember } from '../../../components/json-text.ts'
import type { MultiKeyMode } from './channel-form.ts'

const NAME = 'multi_key_mode'

/** Adds the multi-key mode to the settings. Text that is not a JSON object stays, and the server rejects it. */
export function withMultiKeyMode(setting: string, mode: MultiKeyMode): string {
  return withMember(setting.trim() || '{}', NAME, `"${mode}"`) ?? setting.trim()
}

/** Removes the multi-key mode from the settings, since the form has a separate field for it; empty if nothing remains. */
export function withoutMultiKeyMode(setting: string): string {
  const settings = withMember(setting, NAME, undefined) ?? '{}'
  return settings === '{}' ? '' : settings
}
