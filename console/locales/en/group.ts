import type { group as zh } from '../zh/group.ts'

export const group: typeof zh = {
  ratio: 'Ratio {{ratio}}x',
  standard: 'standard',
  vip: 'VIP',
  own: 'your group',
  named: '{{group}} · {{ratio}}x',
}
