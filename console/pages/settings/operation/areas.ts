import type { OptionTexts } from '../../../api/options.ts'
import type { LabeledOptionKey, OptionField, SettingsArea } from '../options/area.ts'
import { OTHER_AREAS } from '../other/areas.ts'
import { SYSTEM_AREAS } from '../system/areas.ts'

export const OPERATION_AREAS: readonly SettingsArea<LabeledOptionKey>[] = [
  {
    name: 'general',
    fields: [
      { key: 'TopUpLink', kind: 'text', placeholder: 'https://' },
      { key: 'QuotaPerUnit', kind: 'number' },
      { key: 'RetryTimes', kind: 'integer' },
      { key: 'DisplayInCurrencyEnabled', kind: 'switch' },
      { key: 'DisplayTokenStatEnabled', kind: 'switch' },
      { key: 'DefaultCollapseSidebar', kind: 'switch' },
      { key: 'DemoSiteEnabled', kind: 'switch' },
      { key: 'TaskEnabled', kind: 'switch' },
    ],
  },
  {
    name: 'drawing',
    fields: [
      { key: 'DrawingEnabled', kind: 'switch' },
      { key: 'MjNotifyEnabled', kind: 'switch' },
      { key: 'MjAccountFilterEnabled', kind: 'switch' },
      { key: 'MjForwardUrlEnabled', kind: 'switch' },
      { key: 'MjModeClearEnabled', kind: 'switch' },
      { key: 'MjActionCheckSuccessEnabled', kind: 'switch' },
    ],
  },
  {
    name: 'sensitive',
    fields: [
      { key: 'CheckSensitiveEnabled', kind: 'switch' },
      { key: 'CheckSensitiveOnPromptEnabled', kind: 'switch' },
      { key: 'SensitiveWords', kind: 'lines' },
    ],
  },
  {
    name: 'logs',
    fields: [
      { key: 'LogConsumeEnabled', kind: 'switch' },
      { key: 'ErrorLogEnabled', kind: 'switch' },
      { key: 'ErrorLogRetentionDays', kind: 'integer', min: 0 },
      { key: 'LogRetentionDays', kind: 'integer', min: 0 },
      { key: 'LogArchiveBeforeRemoval', kind: 'text' },
      { key: 'TaskRetentionDays', kind: 'integer', min: 0 },
      { key: 'ResponseStoreHours', kind: 'integer', min: 0 },
      { key: 'ResponseStoreMegabytes', kind: 'integer', min: 1 },
    ],
  },
  {
    name: 'dashboard',
    fields: [
      { key: 'DataExportEnabled', kind: 'switch' },
      { key: 'DataExportInterval', kind: 'integer', min: 1 },
      { key: 'DataExportDefaultTime', kind: 'steps' },
    ],
  },
  {
    name: 'monitoring',
    fields: [
      { key: 'ChannelDisableThreshold', kind: 'number' },
      { key: 'QuotaRemindThreshold', kind: 'quota' },
      { key: 'AutomaticDisableChannelEnabled', kind: 'switch' },
      { key: 'AutomaticEnableChannelEnabled', kind: 'switch' },
      { key: 'ChannelAffinityEnabled', kind: 'switch' },
      { key: 'AutomaticDisableKeywords', kind: 'lines' },
      { key: 'MetricsAllow', kind: 'text', placeholder: '10.0.0.0/8' },
      { key: 'MetricsToken', kind: 'secret' },
    ],
  },
  {
    name: 'quota',
    fields: [
      { key: 'QuotaForNewUser', kind: 'quota' },
      { key: 'PreConsumedQuota', kind: 'integer' },
      { key: 'HoldShare', kind: 'number' },
      { key: 'LimitOutputToBalance', kind: 'switch' },
      { key: 'CompleteAfterDisconnect', kind: 'switch' },
      { key: 'ToolCallsMax', kind: 'integer', min: 1 },
      { key: 'BatchPriceRatio', kind: 'number' },
      { key: 'MaxFileBytes', kind: 'integer', min: 1 },
      { key: 'FilesMax', kind: 'integer', min: 1 },
      { key: 'QuotaForInviter', kind: 'quota' },
      { key: 'QuotaForInvitee', kind: 'quota' },
      { key: 'AdminRedeemOwnCodes', kind: 'switch' },
      { key: 'InviteRewardOnce', kind: 'switch' },
      { key: 'RateLimitsFailClosed', kind: 'switch' },
      { key: 'BudgetLimitsFailOpen', kind: 'switch' },
    ],
  },
  {
    name: 'chat',
    fields: [
      { key: 'ChatLink', kind: 'text', placeholder: 'https://' },
      { key: 'ChatLink2', kind: 'text', placeholder: 'https://' },
      { key: 'Chats', kind: 'json' },
    ],
  },
  {
    name: 'group',
    fields: [
      { key: 'GroupRatio', kind: 'json' },
      { key: 'UserUsableGroups', kind: 'json' },
      { key: 'GroupDebtLimit', kind: 'json' },
    ],
  },
  {
    name: 'ratio',
    fields: [
      { key: 'ModelPrice', kind: 'json' },
      { key: 'ModelRatio', kind: 'json' },
      { key: 'CompletionRatio', kind: 'json' },
      { key: 'CacheRatio', kind: 'json' },
      { key: 'CacheWriteRatio', kind: 'json' },
      { key: 'DefaultModelRatio', kind: 'number', optional: true },
      { key: 'PriceConditions', kind: 'json' },
      { key: 'ToolPrices', kind: 'json' },
      { key: 'OutputTokensMax', kind: 'json' },
      { key: 'PlainModels', kind: 'text' },
    ],
  },
]

/** Returns the operation areas. If the server has options that are in no area of any tab, adds an area for them. */
export function operationAreas(stored: OptionTexts): readonly SettingsArea[] {
  const placedFields = [...OPERATION_AREAS, ...SYSTEM_AREAS, ...OTHER_AREAS].flatMap(({ fields }) => fields)
  const knownKeys = new Set<string>(placedFields.map(({ key }) => key))
  const otherOptions = Object.entries(stored).filter(([key]) => !knownKeys.has(key))
  const fields = otherOptions.map(([key, value]): OptionField => ({ key, kind: isBoolean(value) ? 'switch' : 'text' }))
  return fields.length === 0 ? OPERATION_AREAS : [...OPERATION_AREAS, { name: 'more', fields }]
}

const isBoolean = (text: string): boolean => text === 'true' || text === 'false'
