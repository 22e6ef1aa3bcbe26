import type { TFunction } from 'i18next'
import { isChannelTest, type LogRow } from '../../api/logs.ts'

/** Returns the name of a row's token. A channel test has no token, so this returns the text "channel test" for it. */
export const tokenText = (t: TFunction, row: LogRow): string =>
  isChannelTest(row) ? t('log.channelTest') : row.token_name
