export const group = {
  ratio: '{{ratio}}x 倍率',
  named: '{{group}} · {{ratio}}x',
}
