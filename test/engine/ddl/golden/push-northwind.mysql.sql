-- an empty database gets all tables, then indexes, then foreign keys

-- create table Categories
CREATE TABLE Categories (
  CategoryID INTEGER AUTO_INCREMENT,
  CategoryName VARCHAR(80) NOT NULL,
  Description VARCHAR(1000),
  CONSTRAINT categories_pkey PRIMARY KEY (CategoryID),
  CONSTRAINT categories_categoryname_key UNIQUE (CategoryName)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- create table Customers
CREATE TABLE Customers (
  CustomerID VARCHAR(5) NOT NULL,
  CompanyName VARCHAR(80) NOT NULL,
  ContactName VARCHAR(80),
  Phone VARCHAR(80),
  Address VARCHAR(80),
  City VARCHAR(80),
  Region VARCHAR(80),
  PostalCode VARCHAR(20),
  Country VARCHAR(80),
  CONSTRAINT customers_pkey PRIMARY KEY (CustomerID)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- create table Employees
CREATE TABLE Employees (
  EmployeeID INTEGER AUTO_INCREMENT,
  LastName VARCHAR(80) NOT NULL,
  FirstName VARCHAR(80) NOT NULL,
  Title VARCHAR(80),
  TitleOfCourtesy VARCHAR(80),
  BirthDate DATETIME(6),
  HireDate DATETIME(6),
  HomePhone VARCHAR(80),
  ReportsTo INTEGER,
  Address VARCHAR(80),
  City VARCHAR(80),
  Region VARCHAR(80),
  PostalCode VARCHAR(20),
  Country VARCHAR(80),
  CONSTRAINT employees_pkey PRIMARY KEY (EmployeeID),
  CONSTRAINT employees_lastname_firstname_key UNIQUE (LastName, FirstName)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- create table Shippers
CREATE TABLE Shippers (
  ShipperID INTEGER AUTO_INCREMENT,
  CompanyName VARCHAR(80) NOT NULL,
  Phone VARCHAR(20),
  CONSTRAINT shippers_pkey PRIMARY KEY (ShipperID),
  CONSTRAINT shippers_companyname_key UNIQUE (CompanyName)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- create table Suppliers
CREATE TABLE Suppliers (
  SupplierID INTEGER AUTO_INCREMENT,
  CompanyName VARCHAR(80) NOT NULL,
  ContactName VARCHAR(80),
  Phone VARCHAR(20),
  HomePage VARCHAR(200),
  Address VARCHAR(80),
  City VARCHAR(80),
  Region VARCHAR(80),
  PostalCode VARCHAR(20),
  Country VARCHAR(80),
  CONSTRAINT suppliers_pkey PRIMARY KEY (SupplierID),
  CONSTRAINT suppliers_companyname_key UNIQUE (CompanyName)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- create table Products
CREATE TABLE Products (
  ProductID INTEGER AUTO_INCREMENT,
  ProductName VARCHAR(80) NOT NULL,
  SupplierID INTEGER NOT NULL,
  CategoryID INTEGER,
  QuantityPerUnit VARCHAR(80),
  UnitPrice DECIMAL(65,30) DEFAULT (0),
  UnitsInStock DECIMAL(65,30) DEFAULT (0),
  UnitsOnOrder DECIMAL(65,30) DEFAULT (0),
  ReorderLevel DECIMAL(65,30) DEFAULT (0),
  Discontinued BOOLEAN DEFAULT (FALSE),
  CONSTRAINT products_pkey PRIMARY KEY (ProductID),
  CONSTRAINT products_productname_supplierid_key UNIQUE (ProductName, SupplierID)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- create table Orders
CREATE TABLE Orders (
  OrderID INTEGER AUTO_INCREMENT,
  CustomerID VARCHAR(5) NOT NULL,
  EmployeeID INTEGER NOT NULL,
  OrderDate DATETIME(6),
  RequiredDate DATE,
  ShippedDate DATE,
  ShipVia INTEGER,
  Freight DECIMAL(65,30),
  ShipName VARCHAR(80),
  ShipAddress VARCHAR(80),
  ShipCity VARCHAR(80),
  ShipRegion VARCHAR(80),
  ShipPostalCode VARCHAR(20),
  ShipCountry VARCHAR(80),
  CONSTRAINT orders_pkey PRIMARY KEY (OrderID)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- create table Order Details
CREATE TABLE `Order Details` (
  OrderID INTEGER NOT NULL,
  ProductID INTEGER NOT NULL,
  UnitPrice DECIMAL(65,30),
  Quantity DECIMAL(65,30),
  Discount DECIMAL(65,30),
  CONSTRAINT order_details_7e0b2555_pkey PRIMARY KEY (OrderID, ProductID)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- create index Customers (CompanyName)
CREATE INDEX customers_companyname_idx ON Customers (CompanyName);

-- create index Orders (OrderDate)
CREATE INDEX orders_orderdate_idx ON Orders (OrderDate);

-- create index Orders (ShippedDate)
CREATE INDEX orders_shippeddate_idx ON Orders (ShippedDate);

-- add foreign key Employees (ReportsTo) to Employees
ALTER TABLE Employees ADD CONSTRAINT employees_reportsto_fkey FOREIGN KEY (ReportsTo) REFERENCES Employees (EmployeeID);

-- add foreign key Products (SupplierID) to Suppliers
ALTER TABLE Products ADD CONSTRAINT products_supplierid_fkey FOREIGN KEY (SupplierID) REFERENCES Suppliers (SupplierID);

-- add foreign key Products (CategoryID) to Categories
ALTER TABLE Products ADD CONSTRAINT products_categoryid_fkey FOREIGN KEY (CategoryID) REFERENCES Categories (CategoryID);

-- add foreign key Orders (CustomerID) to Customers
ALTER TABLE Orders ADD CONSTRAINT orders_customerid_fkey FOREIGN KEY (CustomerID) REFERENCES Customers (CustomerID);

-- add foreign key Orders (EmployeeID) to Employees
ALTER TABLE Orders ADD CONSTRAINT orders_employeeid_fkey FOREIGN KEY (EmployeeID) REFERENCES Employees (EmployeeID);

-- add foreign key Order Details (OrderID) to Orders
ALTER TABLE `Order Details` ADD CONSTRAINT order_details_orderid_46ef4814_fkey FOREIGN KEY (OrderID) REFERENCES Orders (OrderID);

-- add foreign key Order Details (ProductID) to Products
ALTER TABLE `Order Details` ADD CONSTRAINT order_details_productid_7035f423_fkey FOREIGN KEY (ProductID) REFERENCES Products (ProductID);
