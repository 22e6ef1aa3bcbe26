export const group = {
  ratio: '{{ratio}}x 倍率',
  standard: '默认分组',
  vip: 'vip分组',
  own: '用户分组',
  named: '{{group}} · {{ratio}}x',
}
