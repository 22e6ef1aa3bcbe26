import type { group as zh } from '../zh/group.ts'

export const group: typeof zh = {
  ratio: 'Ratio {{ratio}}x',
  standard: 'default group',
  vip: 'VIP group',
  own: 'your group',
  named: '{{group}} · {{ratio}}x',
}
