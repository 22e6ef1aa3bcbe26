import type { ComponentType } from 'react'
import { ROLE } from '../../core/actor.ts'
import type { TextId } from '../texts.ts'
import { LogsScreen } from './log-list.tsx'
import { ChannelsScreen } from './screens/channels.tsx'
import { LimitsScreen } from './screens/limits.tsx'
import { LiveScreen } from './screens/live.tsx'
import { OptionsScreen } from './screens/options.tsx'
import { OverviewScreen } from './screens/overview.tsx'
import { RedemptionScreen } from './screens/redemption.tsx'
import { TokensScreen } from './screens/tokens.tsx'
import { UsersScreen } from './screens/users.tsx'

export interface ScreenEntry {
  /** Key that opens the screen, the same for all users. */
  digit: string
  /** Name on the `:` command line. */
  name: string
  title: TextId
  /** Minimum role for the data of the screen. */
  role: number
  Screen: ComponentType
}

export const TERMINAL_SCREENS: readonly ScreenEntry[] = [
  { digit: '1', name: 'overview', title: 'ui.overview', role: ROLE.common, Screen: OverviewScreen },
  { digit: '2', name: 'channels', title: 'ui.channelsTitle', role: ROLE.admin, Screen: ChannelsScreen },
  { digit: '3', name: 'tokens', title: 'ui.tokens', role: ROLE.common, Screen: TokensScreen },
  { digit: '4', name: 'users', title: 'ui.users', role: ROLE.admin, Screen: UsersScreen },
  { digit: '5', name: 'codes', title: 'ui.codes', role: ROLE.admin, Screen: RedemptionScreen },
  { digit: '6', name: 'logs', title: 'ui.logs', role: ROLE.common, Screen: LogsScreen },
  { digit: '7', name: 'options', title: 'ui.options', role: ROLE.root, Screen: OptionsScreen },
  { digit: '8', name: 'live', title: 'ui.live', role: ROLE.common, Screen: LiveScreen },
  { digit: '9', name: 'limits', title: 'ui.limits', role: ROLE.common, Screen: LimitsScreen },
]

/** Returns the keys of screens as a text: `1–7`, or `1 3 6`. */
export function digitsOf(screens: readonly ScreenEntry[]): string {
  const digits = screens.map(({ digit }) => digit)
  const isRange = digits.length > 2 && Number(digits.at(-1)) - Number(digits[0]) === digits.length - 1
  return isRange ? `${digits[0]}–${digits.at(-1)}` : digits.join(' ')
}
