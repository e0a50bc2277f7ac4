/** The SQL of the hand-written servers: rows renamed to the names of their properties. */

export const ORDER_COLUMNS = `OrderID AS "id", CustomerID AS "customerId", EmployeeID AS "employeeId",
  OrderDate AS "orderDate", RequiredDate AS "requiredDate", ShippedDate AS "shippedDate",
  ShipVia AS "shipViaId", Freight AS "freight", ShipName AS "name", ShipAddress AS "address",
  ShipCity AS "city", ShipRegion AS "region", ShipPostalCode AS "postalCode",
  ShipCountry AS "country"`;

/** The details of all orders of a list. */
export const DETAILS_SQL = `SELECT OrderID AS "orderId", ProductID AS "productId",
  UnitPrice AS "unitPrice", Quantity AS "quantity", Discount AS "discount"
  FROM "Order Details" WHERE OrderID = ANY($1) ORDER BY OrderID, ProductID`;
