ADAPTER="adapter"; SCALE=2.0
HEAD_OUTPUTS={"intent":7,"destination":13,"clarify":1,"slots":11}
