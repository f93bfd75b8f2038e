package admintest

// ReferenceText is the reference data of a plant.
const ReferenceText = `apiVersion: tollgate/v1
kind: Reference
metadata:
  name: small
  resourceVersion: 3
spec:
  firm: {id: 1, name: ACME, currency: USD, fxMaxAge: 1h}
  groups:
    - {id: 1, name: G1}
    - {id: 2, name: G2}
  accounts:
    - {id: 11, name: A-01, group: G1, currency: USD, selfMatch: 5}
    - {id: 12, name: A-02, group: G1, currency: USD, selfMatch: 5}
    - {id: 13, name: B-01, group: G2, currency: USD}
  traders:
    - {id: 21, name: T1, accounts: [A-01, A-02]}
    - {id: 22, name: T2, accounts: [B-01]}
  sessions:
    - {id: 31, name: S1, client: 7, accounts: [A-01, A-02]}
    - {id: 32, name: S2, client: 8, accounts: [B-01]}
  strategies:
    - {id: 41, name: vwap}
  classes:
    - {id: 7, name: shares}
  calendars:
    - {id: 1, name: CME}
  instruments:
    - id: 101
      name: AMZN
      class: shares
      currency: USD
      tick: 0.01
      lot: 1
      minQty: 1
      maxQty: 1000000
      multiplier: 1
      settlement: 200
      averageDailyVolume: 100000
      outstanding: 10000000
      margin: 100%
      fee: 1bps
      referenceMaxAge: 5s
      tradable: true
      orderTypes: [market, limit, stop, stop-limit]
      timesInForce: [day, gtc, ioc, fok]
      sides: [buy, sell, sell-short]
    - id: 102
      name: ESZ6
      calendar: CME
      currency: USD
      tick: 0.25
      lot: 1
      minQty: 1
      maxQty: unlimited
      multiplier: 50
      settlement: 5000
      averageDailyVolume: 1500000
      margin: 1250bps
      referenceMaxAge: unlimited
      tradable: true
      orderTypes: [limit]
      timesInForce: [day]
      sides: [buy, sell]
    - id: 103
      name: SAP
      class: shares
      currency: EUR
      tick: 0.01
      lot: 1
      minQty: 1
      maxQty: unlimited
      multiplier: 1
      settlement: 150
      averageDailyVolume: 2000000
      margin: 100%
      referenceMaxAge: unlimited
      tradable: true
      orderTypes: [limit]
      timesInForce: [day]
      sides: [buy, sell]
`

// LimitsText is the limits a plant begins with.
const LimitsText = `apiVersion: tollgate/v1
kind: Limits
metadata:
  name: small
  resourceVersion: 1
spec:
  limits:
    - scope: firm
      permission: deny
      maxOrderQty: 10000
      maxOrderNotional: 5000000
      collarBps: 500bps
      marketProtectionBps: 200bps
      participationBps: 1000bps
      duplicateOrders: 10
      messagesPerSecond: 500
      strategyExecutions: 1000
      openOrders: 1000
      openNotional: 50000000
      positionLong: unlimited
      positionShort: unlimited
      grossExposure: 100000000
      netExposure: 60000000
      creditLine: 10000000
      shortSelling: free
      turnoverPerDay: 100000000
      dailyLoss: 1000000
      orderToTrade: 50
      orderToTradeMinimum: 100
      selfMatch: reject
      consecutiveRejects: 20
      basketOrders: 50
      basketNotional: 5000000
    - scope: account/A-01
      openOrders: 4
      positionLong: 1000
    - scope: account/A-01
      instrument: AMZN
      positionLong: 600
`
